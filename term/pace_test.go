package term

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestAFloodIsToldFromWhatProgramsDraw: only who floods gives way to whoever
// types, and for a while after that too.
func TestAFloodIsToldFromWhatProgramsDraw(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var m meter
		told := 0
		pace := &Pace{Flood: func() { told++ }}
		draw := func(what string, n int, every time.Duration, want bool) {
			t.Helper()
			var got bool
			for range 100 {
				time.Sleep(every)
				got = m.count(n, pace)
			}
			if got != want || told > 0 != want {
				t.Errorf("%s: a flood: %v, told %d times", what, got, told)
			}
			told = 0
		}
		draw("a spinner", 80, 100*time.Millisecond, false)
		draw("an agent's screen", 4<<10, 50*time.Millisecond, false)
		draw("yes", 16<<10, 100*time.Microsecond, true)
		draw("yes that gives way", 4<<10, time.Millisecond, true)
		time.Sleep(floodRest)
		draw("a spinner after it", 80, 100*time.Millisecond, false)
	})
}
