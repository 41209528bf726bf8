package lifecycle

import (
	"strings"
	"time"
)

// origin is the way on which a claim came.
type origin uint8

const (
	fromReport   origin = iota // the endpoint
	fromProgram                // in-band status, OSC 7501
	fromSignal                 // title and progress bar
	fromScreen                 // screen rules
	fromActivity               // guesses
)

// Ranks of sources; the higher one wins. A claim that keys and screen have
// answered ranks below the screen, so that from then on the screen leads and
// the claim fills its gaps.
const (
	rankActivity = 10 * (iota + 1)
	rankAnswered
	rankScreen
	rankSignal
	rankProgram
	rankCustom
	rankIntegration
)

// sourceRanks has the first part of each source's id.
var sourceRanks = map[string]int{
	"integration": rankIntegration, "custom": rankCustom, "native": rankSignal,
	"manifest": rankScreen, "heuristic": rankActivity,
}

// ownStatus is the source of the records a program sends in-band.
const ownStatus = "native:osc7501"

// key is what a claim replaces an earlier one by.
type key struct {
	from   origin
	source string
	helper string // id of a sub-agent, empty for the agent itself
}

// claim is what one source says. It stays when it has run out: the last one of
// an integration may be needed again.
type claim struct {
	key
	state      State // empty: no opinion
	reason     string
	detail     string
	request    string
	tool       string
	progress   int
	background bool
	session    string
	rule       string // of a screen's claim, with the text it matched
	matched    string

	at       time.Time // when it was last said; what stands without being repeated keeps its time
	until    time.Time // zero: for as long as it stands
	gen      uint64    // the pane's output when it was said
	answered bool      // keys and screen have overtaken it
	note     string    // how, for explaining
}

func (c *claim) rank() int {
	switch {
	case c.answered && c.from == fromReport:
		return rankAnswered
	case c.from == fromProgram:
		return rankProgram
	}
	kind, _, _ := strings.Cut(c.source, ":")
	return sourceRanks[kind]
}

// speaks reports whether c has an opinion at now.
func (c *claim) speaks(now time.Time) bool { return c.opinion() && !c.expired(now) }

func (c *claim) opinion() bool { return c.state != "" && c.state != Unknown }

func (c *claim) expired(now time.Time) bool { return !c.until.IsZero() && !now.Before(c.until) }

// hooked reports whether c is the word of the agent's own hooks.
func (c *claim) hooked() bool {
	return c.from == fromReport && strings.HasPrefix(c.source, "integration:")
}

// explicit reports whether the agent or a reporter itself said this, in
// contrast to what was seen of it.
func (c *claim) explicit() bool {
	return (c.from == fromReport || c.from == fromProgram) && !c.answered
}

// keyed reports whether c is what a key is taken to have brought about.
func (c *claim) keyed() bool { return c.rule == ruleAnswered || c.rule == ruleEntered }

// level reports whether c is a standing sign rather than a word said at a time.
func (c *claim) level() bool { return c.from == fromSignal || c.from == fromScreen }

// maxClaims bounds what one pane can make deck keep. It leaves room for the
// 256 records that the in-band protocol asks for.
const maxClaims = 320

// find returns the claim of that key, nil if there is none; the pointer is good
// until the next put.
func (a *Agent) find(k key) *claim {
	for i := range a.claims {
		if a.claims[i].key == k {
			return &a.claims[i]
		}
	}
	return nil
}

// put files c as said at now, in the place of the last one of its key.
func (a *Agent) put(c claim, now time.Time) {
	c.at, c.gen = now, a.gen
	old := a.find(c.key)
	if c.helper == "" && c.state == Done && (old == nil || old.state != Done) {
		a.unseen = true
	}
	if old == nil {
		a.evict()
		a.claims = append(a.claims, c)
		return
	}
	if c.level() && c.state == old.state {
		c.at = old.at
	}
	if c.state == NeedsInput && old.state == NeedsInput && (old.request != c.request && old.request != "" || old.rule != c.rule) {
		a.requests++
	}
	*old = c
}

// evict makes room for one claim: the one last said longest ago goes, of
// helpers first.
func (a *Agent) evict() {
	if len(a.claims) < maxClaims {
		return
	}
	worst := 0
	for i := range a.claims {
		c, w := &a.claims[i], &a.claims[worst]
		switch {
		case c.helper != "" && w.helper == "", (c.helper == "") == (w.helper == "") && c.at.Before(w.at):
			worst = i
		}
	}
	a.claims = append(a.claims[:worst], a.claims[worst+1:]...)
}

// drop removes the claims that f chooses.
func (a *Agent) drop(f func(*claim) bool) {
	kept := a.claims[:0]
	for i := range a.claims {
		if !f(&a.claims[i]) {
			kept = append(kept, a.claims[i])
		}
	}
	clear(a.claims[len(kept):])
	a.claims = kept
}
