package lifecycle

import (
	"testing"
	"time"
)

func TestTwoAgentsThatAnswerEachOtherAreStopped(t *testing.T) {
	t.Parallel()
	var tr Traffic
	now := time.Unix(1000, 0)
	for i := range maxToAndFro {
		for _, r := range []route{{"a", "b"}, {"b", "a"}} {
			if ok, _ := tr.Allow(r.from, r.to, now); !ok {
				t.Fatalf("stopped after %d", i)
			}
		}
	}
	if ok, loop := tr.Allow("a", "b", now); ok || !loop {
		t.Error("they go on without end")
	}
	if ok, _ := tr.Allow("a", "c", now); !ok {
		t.Error("another one is stopped, too")
	}
	if ok, _ := tr.Allow("a", "b", now.Add(trafficWindow)); !ok {
		t.Error("they are stopped for ever")
	}
	tr.Forget("b")
	if ok, _ := tr.Allow("b", "a", now.Add(trafficWindow)); !ok {
		t.Error("a person who takes part changes nothing")
	}
}

func TestOneAgentCannotFloodAnother(t *testing.T) {
	t.Parallel()
	var tr Traffic
	now := time.Unix(1000, 0)
	for range maxOneWay {
		if ok, _ := tr.Allow("a", "b", now); !ok {
			t.Fatal("stopped too soon")
		}
	}
	if ok, loop := tr.Allow("a", "b", now); ok || loop {
		t.Errorf("allowed %v, a loop %v", ok, loop)
	}
}
