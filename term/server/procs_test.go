package server

import (
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// heard is what procs did to the runtime.
type heard struct {
	mu    sync.Mutex
	steps []string // guarded by mu
}

func (h *heard) add(step string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.steps = append(h.steps, step)
}

// take returns what was done since the last call.
func (h *heard) take() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := strings.Join(h.steps, " ")
	h.steps = nil
	return s
}

func (h *heard) set(n int) int {
	if n > 0 {
		h.add(fmt.Sprint(n))
	}
	return 2
}

func (h *heard) collect() { h.add("collect") }
func (h *heard) pause()   { h.add("pause") }
func (h *heard) resume()  { h.add("resume") }

func TestProcsFollowWhatThereIsToDo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &heard{}
		p := newProcs(h.set, h)
		check := func(when, want string) {
			t.Helper()
			synctest.Wait()
			if diff := cmp.Diff(want, h.take()); diff != "" {
				t.Error(when + ": " + diff)
			}
		}
		time.Sleep(busyFor / 2)
		p.busy()
		time.Sleep(busyFor - time.Millisecond)
		check("while busy", "8")
		time.Sleep(busyFor)
		check("after a while", "1")
		for range 100 {
			p.stir()
			time.Sleep(quietFor / 2)
		}
		check("while programs write", "")
		time.Sleep(2 * quietFor)
		check("in the quiet", "collect pause")
		time.Sleep(time.Hour)
		check("an hour later", "")
		p.stir()
		check("at the first word", "")
		time.Sleep(stirFor)
		check("just after it", "resume")
		time.Sleep(2 * quietFor)
		check("in the next quiet", "collect pause")
		p.stir()
		time.Sleep(restEvery - 2*quietFor)
		check("in one that is soon after the last", "resume")
		time.Sleep(3 * quietFor)
		check("later", "collect pause")
		p.busy()
		check("at a request", "resume 8")
		p.stop()
		time.Sleep(time.Hour)
		check("after the end", "")
	})
}

// TestProcsAreStirredWhileTheyCollect: what comes in the middle of it ends the
// rest before it begins.
func TestProcsAreStirredWhileTheyCollect(t *testing.T) {
	t.Parallel()
	for name, come := range map[string]func(*procs){"1 collect": (*procs).stir, "1 collect 8": (*procs).busy} {
		synctest.Test(t, func(t *testing.T) {
			h := &heard{}
			c := &stirringCollector{heard: h}
			p := newProcs(h.set, c)
			c.come = func() { come(p) }
			h.take()
			time.Sleep(busyFor + quietFor)
			synctest.Wait()
			if got := h.take(); got != name {
				t.Errorf("%s, want %s", got, name)
			}
			p.stop()
		})
	}
}

type stirringCollector struct {
	*heard
	come func()
}

func (c *stirringCollector) collect() { c.heard.collect(); c.come() }

// TestThePausedCollectorIsAsBefore: its limit is above what is in use, and its
// settings are those of before afterwards.
func TestThePausedCollectorIsAsBefore(t *testing.T) {
	c := &runtimeCollector{}
	before, limit := percentNow(), debug.SetMemoryLimit(-1)
	c.pause()
	if percentNow() == before {
		t.Error("it goes on")
	}
	if now := debug.SetMemoryLimit(-1); now <= memoryInUse() || now > limit {
		t.Errorf("the limit is %d, was %d", now, limit)
	}
	c.resume()
	if percentNow() != before || debug.SetMemoryLimit(-1) != limit {
		t.Error("it is another one now")
	}
}

func percentNow() uint64 {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
