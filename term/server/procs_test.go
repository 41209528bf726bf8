package server

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestProcsFollowWhatThereIsToDo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var set []int
		p := newProcs(func(n int) int {
			if n > 0 {
				set = append(set, n)
			}
			return 2
		})
		got := func() []int { // set is written under the same lock
			p.mu.Lock()
			defer p.mu.Unlock()
			return slices.Clone(set)
		}
		time.Sleep(busyFor / 2)
		p.busy()
		time.Sleep(busyFor - time.Millisecond)
		if diff := cmp.Diff([]int{mostProcs}, got()); diff != "" {
			t.Error("while busy: " + diff)
		}
		time.Sleep(busyFor)
		if diff := cmp.Diff([]int{mostProcs, calmProcs}, got()); diff != "" {
			t.Error("after a rest: " + diff)
		}
		time.Sleep(time.Hour)
		p.busy()
		p.busy()
		p.stop()
		time.Sleep(time.Hour)
		if diff := cmp.Diff([]int{mostProcs, calmProcs, mostProcs}, got()); diff != "" {
			t.Error("after the end: " + diff)
		}
	})
}
