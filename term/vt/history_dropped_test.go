package vt

import (
	"fmt"
	"strings"
	"testing"
)

// A reader that keeps a row by HistoryDropped plus its index finds the same
// row again however much was printed since.
func TestDroppedRowsAreCounted(t *testing.T) {
	t.Parallel()
	e := New(20, 5, Options{History: 300})
	text := func(i int) string {
		cells, _ := e.HistoryRow(i, nil)
		var b strings.Builder
		for _, c := range cells {
			b.WriteString(e.Table().Text(c.Char))
		}
		return strings.TrimSpace(b.String())
	}
	for i := range 2000 {
		e.Write(fmt.Appendf(nil, "row %d\r\n", i))
		first := int(e.HistoryDropped())
		if n := e.HistoryLen(); n > 0 && text(n-1) != fmt.Sprintf("row %d", first+n-1) {
			t.Fatalf("row %d is %q", first+n-1, text(n-1))
		}
	}
	if e.HistoryDropped() == 0 {
		t.Error("nothing was dropped")
	}
	n := e.HistoryDropped() + uint64(e.HistoryLen())
	e.Write([]byte("\x1b[3J"))
	if e.HistoryDropped() != n {
		t.Errorf("%d rows dropped of %d after the history was cleared", e.HistoryDropped(), n)
	}
}
