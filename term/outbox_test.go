package term

import "testing"

// What is given goes at once only where nothing is before it, so that keys keep
// their order.
func TestOutboxGivesInOrder(t *testing.T) {
	t.Parallel()
	o := newOutbox()
	var written []byte
	two := func(b []byte) int {
		b = b[:min(len(b), 2)]
		written = append(written, b...)
		return len(b)
	}
	for _, s := range []string{"ab", "cde", "fg"} {
		if o.give([]byte(s), 100, turn{}, two) != nil {
			t.Fatalf("%q is refused", s)
		}
	}
	if string(written) != "abcd" {
		t.Errorf("written at once: %q", written)
	}
	rest, ok := o.take(nil)
	if !ok || string(rest) != "efg" {
		t.Errorf("left for the writer: %q", rest)
	}
	if o.give([]byte("h"), 100, turn{}, two) != nil || string(written) != "abcd" {
		t.Error("a key overtakes what the writer is writing")
	}
	o.wrote(len(rest))
	if o.give(make([]byte, 100), 100, turn{}, two) == nil {
		t.Error("the limit is passed")
	}
}
