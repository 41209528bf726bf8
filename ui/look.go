package ui

import (
	"strings"

	"deck/lifecycle"
)

// clean leaves out what must not reach a terminal from texts that come from
// outside.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unclean(string(r)) {
			return -1
		}
		return r
	}, s)
}

var stateLooks = map[lifecycle.State]look{
	lifecycle.Unknown: lookUnknown, lifecycle.Working: lookWorking, lifecycle.NeedsInput: lookNeedsInput,
	lifecycle.Idle: lookIdle, lifecycle.Blocked: lookBlocked, lifecycle.Done: lookDone, lifecycle.Dead: lookDead,
}

// sign is how a pane's state shows: a glyph, a word, and only besides those a
// colour. What is no agent runs or has ended.
func (t *theme) sign(p Pane) (glyph, word string, l look) {
	s := p.Status.State
	switch {
	case p.Ended && p.Agent == "":
		return t.glyphs.states[lifecycle.Dead], "ended", lookDead
	case p.Agent == "":
		return t.glyphs.running, "running", lookRunning
	}
	l, known := stateLooks[s]
	if !known {
		s, l = lifecycle.Unknown, lookUnknown
	}
	return t.glyphs.states[s], string(s), l
}

// The marks behind a state's word.
const (
	markBackground = "+" // helpers or tasks run beside the turn
	markStale      = "?" // nothing newer was heard for long
)

// state is a state's word with its marks.
func (t *theme) state(p Pane) (glyph, word string, l look) {
	glyph, word, l = t.sign(p)
	if p.Agent != "" && p.Status.Background {
		word += markBackground
	}
	if p.Agent != "" && p.Status.Stale {
		word += markStale
	}
	return glyph, word, l
}

// unread reports whether something about a pane was not looked at yet: it
// rang, or its agent has a result.
func unread(p Pane) bool { return p.Bell || p.Agent != "" && p.Status.State == lifecycle.Done }

// program is what a pane is called besides its nick: its name, its agent, or
// what runs in it.
func program(p Pane) string {
	switch {
	case p.Name != "":
		return p.Name
	case p.Agent != "":
		return agentName(p)
	}
	return p.Program
}

// folder is the end of a path that fits w columns, cut at a slash.
func (t *theme) folder(dir string, w int) string {
	if len(dir) <= w {
		return dir
	}
	for i, r := range dir {
		if r == '/' && i > 0 && len(dir)-i+1 <= w {
			return t.glyphs.cut + dir[i:]
		}
	}
	if i := strings.LastIndexByte(dir, '/'); i >= 0 {
		dir = dir[i+1:]
	}
	return t.fit(dir, w)
}
