package server

import (
	"maps"
	"sync"

	"golang.org/x/sys/unix"

	"deck/term/layout"
)

// caller is who sent a request: a process of this user, and the pane it runs
// in where it runs in one.
type caller struct {
	uid, pid int           // pid is 0 where the system does not tell
	pane     layout.PaneID // empty for a person's own shell
}

// identities knows which pane a process or a token belongs to. The loop adds
// and removes panes, requests look callers up; safe from any goroutine.
type identities struct {
	mu     sync.RWMutex
	tokens map[string]layout.PaneID // guarded by mu
	pids   map[int]layout.PaneID    // guarded by mu
	boxed  map[layout.PaneID]bool   // guarded by mu: panes that may only report
}

func newIdentities() *identities {
	return &identities{tokens: map[string]layout.PaneID{}, pids: map[int]layout.PaneID{}, boxed: map[layout.PaneID]bool{}}
}

// add makes a pane known by its token and by the process of its program. Either
// may be missing; a pane that is restarted is removed and added again.
func (i *identities) add(pane layout.PaneID, pid int, token string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if token != "" {
		i.tokens[token] = pane
	}
	if pid > 0 {
		i.pids[pid] = pane
	}
}

// sandbox leaves a pane no right but to report.
func (i *identities) sandbox(pane layout.PaneID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.boxed[pane] = true
}

// isSandboxed reports whether a pane may only report.
func (i *identities) isSandboxed(pane layout.PaneID) bool {
	i.mu.RLock()
	defer i.mu.RUnlock()
	return i.boxed[pane]
}

// remove forgets a pane; its token is void from here on.
func (i *identities) remove(pane layout.PaneID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.boxed, pane)
	maps.DeleteFunc(i.tokens, func(_ string, p layout.PaneID) bool { return p == pane })
	maps.DeleteFunc(i.pids, func(_ int, p layout.PaneID) bool { return p == pane })
}

// voidToken forgets a pane's token, and knows its processes still.
func (i *identities) voidToken(pane layout.PaneID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	maps.DeleteFunc(i.tokens, func(_ string, p layout.PaneID) bool { return p == pane })
}

// ended forgets a pane's process, whose number may be given to another one; the
// token stays until the pane is closed.
func (i *identities) ended(pane layout.PaneID) {
	i.mu.Lock()
	defer i.mu.Unlock()
	maps.DeleteFunc(i.pids, func(_ int, p layout.PaneID) bool { return p == pane })
}

// ofToken returns the pane of a token, and false where no pane has it.
func (i *identities) ofToken(token string) (layout.PaneID, bool) {
	i.mu.RLock()
	defer i.mu.RUnlock()
	p, ok := i.tokens[token]
	return p, ok
}

// maxAncestry bounds the walk from a process to its ancestors.
const maxAncestry = 64

// ofProcess returns the pane whose program pid descends from, or in whose
// session it is: one whose parent has ended is nobody's descendant. Only a
// process that left both is not recognised any more.
func (i *identities) ofProcess(pid int) (layout.PaneID, bool) {
	for range maxAncestry {
		if pid <= 1 {
			return "", false
		}
		session, _ := unix.Getsid(pid)
		i.mu.RLock()
		p, ok := i.pids[pid]
		if !ok {
			p, ok = i.pids[session]
		}
		i.mu.RUnlock()
		if ok {
			return p, true
		}
		pid = parentOf(pid)
	}
	return "", false
}
