package server

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"deck/lifecycle"
	"deck/lifecycle/detect"
	"deck/term"
)

// ExplainOptions say what ExplainFile explains.
type ExplainOptions struct {
	File       string  // a screen as text, or an asciicast
	Agent      string  // whose rules apply; one without rules gets the generic ones
	At         float64 // seconds into a recording; negative is its end
	Exact      bool    // that moment, even if a marker of the recording lies shortly before
	ScreenOnly bool    // leave title, progress bar and in-band status out
}

// Explanation says what state follows from a saved screen or recording, and
// why. Its texts are cleaned.
type Explanation struct {
	Agent   string          `json:"agent"`
	State   lifecycle.State `json:"state"`
	Reason  string          `json:"reason,omitempty"`
	Source  string          `json:"source,omitempty"`
	Why     string          `json:"why,omitempty"`
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
	// Claims are all that was claimed by then, the highest source first.
	Claims []lifecycle.ClaimView `json:"claims,omitempty"`
}

// Finding is what one source says.
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

// maxSaved is the most bytes of a saved screen or recording.
const maxSaved = 256 << 20

// ExplainFile follows the agent of a saved screen or recording with the rules
// and the engine that the server follows the agents of panes with. It needs no
// server. Faults in a person's own rule files are returned beside the result:
// those files do not count.
func ExplainFile(o ExplainOptions) (Explanation, []error, error) {
	set, faults := loadRules(rulesDir(ConfigPath()))
	text, err := readSaved(o.File)
	if err != nil {
		return Explanation{}, faults, err
	}
	if !term.IsCast(text) {
		return explainText(set, o.Agent, string(text)), faults, nil
	}
	c, err := term.OpenCast(bytes.NewReader(text), o.At, o.Exact)
	if err != nil {
		return Explanation{}, faults, fmt.Errorf("%s: %w", o.File, err)
	}
	r := rerun{cast: c, rules: set, agent: o.Agent, screenOnly: o.ScreenOnly}
	r.run()
	out := r.explain(c.At)
	out.At, out.Marker = c.At.Seconds(), cleanText(c.Marker, maxText)
	return out, faults, nil
}

// explainText is about one screen, of which nothing before is known.
func explainText(set *detect.Set, agent, text string) Explanation {
	r := rerun{rules: set, agent: agent, screen: detect.TextScreen(text)}
	r.life.Appeared(agent, 1, castEpoch)
	r.found = set.Read(agent, &r.screen)
	r.saw(r.found, 1, castEpoch)
	return r.explain(0)
}

// explain says how the state at the last look came about.
func (r *rerun) explain(at time.Duration) Explanation {
	x, c := r.life.Explain(castEpoch.Add(at)), r.rules.Composer(r.agent, &r.screen)
	st := x.Status
	out := Explanation{
		Agent: r.agent, State: st.State, Reason: st.Reason, Source: st.Source, Why: x.Why, Request: st.Request.Summary, Tool: st.Tool,
		Background: st.Background, Held: r.found.Screen.Hold, Title: r.screen.Title, Draft: c.Found && !c.Empty,
		Native: findingOf(r.found.Native), Screen: findingOf(r.found.Screen), Claims: x.Claims,
	}
	for _, c := range x.Claims {
		own := c.Channel == "in-band" && c.Helper == "" && c.State != lifecycle.Unknown
		if own {
			out.InBand = &Finding{State: c.State, Reason: c.Reason, Rule: ruleInBand, Matched: cmp.Or(c.Request, c.Detail),
				Request: c.Request, Age: float64(c.Age) / 1000}
		}
		switch {
		case !c.Won:
		case own:
			out.Rule, out.Matched = ruleInBand, out.InBand.Matched
		case c.Channel == "signal" && out.Native != nil:
			out.Rule, out.Matched = out.Native.Rule, out.Native.Matched
		default:
			out.Rule, out.Matched = c.Rule, c.Matched
		}
	}
	return cleanExplanation(out)
}

// ruleInBand stands for the rule of what a program says itself.
const ruleInBand = "osc7501"

func findingOf(v lifecycle.Verdict) *Finding {
	if v.None() {
		return nil
	}
	return &Finding{State: v.State, Reason: v.Reason, Rule: v.Rule, Matched: v.Matched, Request: v.Request, Tool: v.Tool, Hold: v.Hold}
}

func readSaved(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("no such file: %s", path)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSaved+1))
	if err == nil && len(text) > maxSaved {
		err = fmt.Errorf("%s is longer than %d bytes", path, maxSaved)
	}
	return text, err
}

// screenOf returns a view as the rules take it.
func screenOf(v term.View) detect.Screen {
	s := detect.Screen{
		Rows: make([]detect.Row, len(v.Rows)), Cols: v.Cols, Title: v.Title,
		CursorX: v.Cursor.X, CursorY: v.Cursor.Y, Alternate: v.Alternate,
	}
	for i, r := range v.Rows {
		s.Rows[i] = detect.Row(r)
	}
	return s
}

func cleanExplanation(e Explanation) Explanation {
	e.Title = cleanText(e.Title, maxText)
	e.Matched, e.Request, e.Tool = cleanText(e.Matched, maxText), cleanText(e.Request, maxText), cleanText(e.Tool, maxLabel)
	for _, f := range []*Finding{e.InBand, e.Native, e.Screen} {
		if f != nil {
			f.Matched, f.Request, f.Tool = cleanText(f.Matched, maxText), cleanText(f.Request, maxText), cleanText(f.Tool, maxLabel)
		}
	}
	return e
}
