package detect

import (
	"deck/lifecycle"
)

// Evidence is all that a saved screen or recording tells about an agent.
type Evidence struct {
	Screen  Screen
	Reports []Report // in-band, oldest first
	Now     float64  // the moment, in seconds, on the clock of the reports
	// Output is when the program last wrote to the terminal, on that clock.
	Output float64
	// ScreenOnly leaves title, progress bar and reports out.
	ScreenOnly bool
}

// Report is one word about a terminal's records: a record, or what clears them.
type Report struct {
	At     float64 // seconds
	Record *Record
	// Prompt is a shell's prompt (OSC 133;A), Reset a reset of the terminal.
	Prompt, Reset bool
}

// Explanation says what follows from evidence and why. Its texts come from
// outside and are to be cleaned when shown.
type Explanation struct {
	Agent   string          `json:"agent"`
	State   lifecycle.State `json:"state"`
	Reason  string          `json:"reason,omitempty"`
	Source  string          `json:"source,omitempty"`
	Rule    string          `json:"rule,omitempty"`
	Matched string          `json:"matched,omitempty"`
	Request string          `json:"request,omitempty"`
	Tool    string          `json:"tool,omitempty"`
	// Held says that the screen tells nothing and another source decided.
	Held  bool   `json:"held,omitempty"`
	Title string `json:"title,omitempty"`
	// InBand, Native and Screen are what each source says by itself.
	InBand     *Finding `json:"inband,omitempty"`
	Native     *Finding `json:"native,omitempty"`
	Screen     *Finding `json:"screen,omitempty"`
	Background bool     `json:"background,omitempty"`
	Draft      bool     `json:"draft,omitempty"` // something is typed and not sent
	// At is the moment of a recording, in seconds, Marker the recording's own
	// name for it.
	At     float64 `json:"at,omitempty"`
	Marker string  `json:"marker,omitempty"`
}

// Finding is the verdict of one source.
type Finding struct {
	State   lifecycle.State `json:"state,omitempty"`
	Reason  string          `json:"reason,omitempty"`
	Rule    string          `json:"rule"`
	Matched string          `json:"matched,omitempty"`
	Request string          `json:"request,omitempty"`
	Tool    string          `json:"tool,omitempty"`
	Hold    bool            `json:"hold,omitempty"`
	Age     float64         `json:"age,omitempty"` // seconds, of a report
}

// loanAge is how old a standing word is before the screen may overrule it, in
// seconds: an agent reports a little before it draws.
const loanAge = 2

// Explain says what state follows from evidence: the newest in-band report,
// unless the screen has shown a dialog for a while that it does not know of;
// then title and progress bar; then the rows.
func (s *Set) Explain(agent string, e Evidence) Explanation {
	if e.ScreenOnly {
		e.Screen.Title, e.Screen.Progress = "", 0
	}
	read := s.Read(agent, &e.Screen)
	out := Explanation{Agent: agent, State: lifecycle.Unknown, Held: read.Screen.Hold}
	out.Draft = func(c Composer) bool { return c.Found && !c.Empty }(s.Composer(agent, &e.Screen))
	out.Screen = finding(read.Screen)
	var said lifecycle.Verdict
	age := 0.0
	if !e.ScreenOnly {
		out.Title = e.Screen.Title
		out.Native = finding(read.Native)
		said, age, out.Background = word(e)
		if out.InBand = finding(said); out.InBand != nil {
			out.InBand.Age = age
		}
	}
	v, source := choose(said, age, e.Output > e.Now-age, read)
	if v.State == "" {
		return out
	}
	if v.State == lifecycle.NeedsInput && read.Screen.State == lifecycle.NeedsInput {
		v = withDetail(v, read.Screen)
	}
	out.State, out.Reason, out.Rule, out.Matched, out.Request, out.Tool = v.State, v.Reason, v.Rule, v.Matched, v.Request, v.Tool
	switch source {
	case sourceInBand:
		out.Source = "native:osc7501"
	case sourceNative:
		out.Source = "native:title"
	case sourceScreen:
		out.Source = "manifest:" + agent
	}
	return out
}

type source uint8

const (
	sourceInBand source = iota
	sourceNative
	sourceScreen
)

// choose ranks what the sources say.
func choose(said lifecycle.Verdict, age float64, drawn bool, read Reading) (lifecycle.Verdict, source) {
	asks := read.Screen.State == lifecycle.NeedsInput && !read.Screen.Hold
	if said.State != "" {
		if asks && said.State != lifecycle.NeedsInput && age >= loanAge && drawn {
			return read.Screen, sourceScreen
		}
		return said, sourceInBand
	}
	switch {
	case read.Native.State != "" && !asks:
		return read.Native, sourceNative
	case read.Native.State == lifecycle.NeedsInput:
		return read.Native, sourceNative
	}
	return read.Screen, sourceScreen
}

// withDetail adds what the screen knows more exactly.
func withDetail(v, screen lifecycle.Verdict) lifecycle.Verdict {
	if v.Reason == "" || v.Reason == "unknown" {
		v.Reason = screen.Reason
	}
	if v.Request == "" {
		v.Request = screen.Request
	}
	if v.Tool == "" {
		v.Tool = screen.Tool
	}
	return v
}

// word returns what the program's own record says at last, and its age.
func word(e Evidence) (v lifecycle.Verdict, age float64, background bool) {
	var rs Records
	for _, r := range e.Reports {
		switch {
		case r.Reset:
			rs.Reset()
		case r.Prompt:
			rs.Ended()
		case r.Record != nil:
			rs.Apply(*r.Record)
			if r.Record.ID == "" {
				age = max(0, e.Now-r.At)
			}
		}
	}
	root, ok := rs.Root()
	if !ok {
		return lifecycle.Verdict{}, 0, rs.Background()
	}
	return root.Verdict(), age, rs.Background()
}

func finding(v lifecycle.Verdict) *Finding {
	if v.None() {
		return nil
	}
	return &Finding{State: v.State, Reason: v.Reason, Rule: v.Rule, Matched: v.Matched, Request: v.Request, Tool: v.Tool, Hold: v.Hold}
}
