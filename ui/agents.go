package ui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"deck/lifecycle"
)

// needOrder has the states by how much a person is wanted, most first.
var needOrder = [...]lifecycle.State{
	lifecycle.NeedsInput, lifecycle.Blocked, lifecycle.Done, lifecycle.Dead,
	lifecycle.Working, lifecycle.Idle, lifecycle.Unknown,
}

// urgency is a pane's place in needOrder; what is no agent comes after all.
func urgency(p Pane) int {
	if p.Agent == "" {
		return len(needOrder)
	}
	if i := slices.Index(needOrder[:], p.Status.State); i >= 0 {
		return i
	}
	return len(needOrder) - 1
}

// wanting reports whether a pane's agent has something for a person: a
// question, a result, its own end, a message that it does not take.
func wanting(p Pane) bool { return urgency(p) < 4 || stuck(p) }

// stuck reports whether a message is in its input line that Enter does not send.
func stuck(p Pane) bool { return p.Held == string(lifecycle.WhyStuck) }

// asking reports whether it goes on only when a person does something.
func asking(p Pane) bool { return urgency(p) < 2 }

// compareNeed orders panes by who needs a person most, for longest first where
// it is the same.
func compareNeed(a, b Pane) int {
	if n := cmp.Compare(urgency(a), urgency(b)); n != 0 || !wanting(a) {
		return n
	}
	return a.Status.Since.Compare(b.Status.Since)
}

// tally counts agents by the index of their state in needOrder, and what is no
// agent behind them.
func tally(panes []Pane) (n [len(needOrder) + 1]int) {
	for _, p := range panes {
		n[urgency(p)]++
	}
	return n
}

// age says for how long something has been so, in at most three characters;
// empty where that is not known. Below a minute it counts in steps of ten
// seconds, so that nothing has to be drawn every second.
func age(since, now time.Time) string {
	if since.IsZero() || now.IsZero() {
		return ""
	}
	switch d := now.Sub(since); {
	case d < 10*time.Second:
		return "now"
	case d < time.Minute:
		return strconv.Itoa(int(d/(10*time.Second))*10) + "s"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + "m"
	case d < 24*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	default:
		return strconv.Itoa(min(int(d/(24*time.Hour)), 99)) + "d"
	}
}

// reason names why an agent asks; empty where it is not known.
func reason(s lifecycle.Status) string {
	if s.Reason == lifecycle.Unexplained {
		return ""
	}
	return strings.ReplaceAll(s.Reason, "_", " ")
}

// asked is what a person is asked for, as one line of plain text: the reason,
// the tool, the request.
func asked(s lifecycle.Status) string {
	text := clean(cmp.Or(s.Request.Summary, s.Detail))
	if s.Reason == lifecycle.Approval {
		text = strings.TrimPrefix(text, "approve ") // the reason says so
	}
	if tool := clean(cmp.Or(s.Request.Tool, s.Tool)); tool != "" && !strings.Contains(text, tool) {
		text = joinedBy(": ", tool, text)
	}
	return joinedBy(": ", reason(s), text)
}

// askedBriefly is the same for where there is little room: a request seldom
// needs its tool to be understood.
func askedBriefly(s lifecycle.Status) string {
	if s.Request.Summary != "" {
		s.Tool, s.Request.Tool = "", ""
	}
	return asked(s)
}

// doing is the line about an agent: what it asks for, or what it is at.
func doing(p Pane) string {
	s := p.Status
	switch {
	case asking(p):
		return asked(s)
	case stuck(p):
		return "a message is in its input line, and Enter does not send it"
	}
	text := clean(s.Detail)
	if s.State == lifecycle.Working && s.Tool != "" && !strings.Contains(text, s.Tool) {
		text = joinedBy(": ", clean(s.Tool), text)
	}
	if text == "" && s.Meta != nil {
		text = clean(cmp.Or(s.Meta.StateLabel, s.Meta.Title))
	}
	if s.Progress > 0 && s.State == lifecycle.Working {
		text = strings.TrimSpace(strconv.Itoa(s.Progress) + "% " + text)
	}
	return text
}

// joinedBy puts sep between two texts if both are there.
func joinedBy(sep, a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + sep + b
}

// after puts a word before a text that is there.
func after(word, s string) string {
	if s == "" {
		return ""
	}
	return word + s
}

// since is what the age of a pane's state counts from. Who works has worked
// since the turn began, whatever was asked on the way.
func since(p Pane) time.Time {
	if p.Status.State == lifecycle.Working && !p.Turn.IsZero() {
		return p.Turn
	}
	return p.Status.Since
}

// contextUsed is how much of its context an agent has used, where it tells.
func contextUsed(p Pane) string {
	if p.Status.Meta == nil {
		return ""
	}
	n, err := strconv.Atoi(strings.TrimSuffix(p.Status.Meta.Tokens[contextToken], "%"))
	if err != nil || n < 0 || n > 100 {
		return ""
	}
	return strconv.Itoa(n) + "% ctx"
}

// contextToken is the token of a report's metadata that tells it.
const contextToken = "context"

// agentName is what an agent calls itself, else its own name.
func agentName(p Pane) string {
	if m := p.Status.Meta; m != nil && m.DisplayAgent != "" && p.Agent != "" {
		return clean(m.DisplayAgent)
	}
	return p.Agent
}

// plural counts a noun.
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
