package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

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

// Explanation is what follows from a saved screen, and why. Its texts are
// cleaned.
type Explanation = detect.Explanation

// Finding is what one source says.
type Finding = detect.Finding

// maxSaved is the most bytes of a saved screen or recording.
const maxSaved = 256 << 20

// ExplainFile runs the screen rules on a saved screen or recording, as the
// server runs them on a pane. It needs no server. Faults in a person's own rule
// files are returned beside the result: those files do not count.
func ExplainFile(o ExplainOptions) (Explanation, []error, error) {
	set, faults := loadRules(rulesDir(ConfigPath()))
	text, err := readSaved(o.File)
	if err != nil {
		return Explanation{}, faults, err
	}
	e := detect.Evidence{Screen: detect.TextScreen(string(text))}
	marker := ""
	if term.IsCast(text) {
		c, err := term.ReplayCast(bytes.NewReader(text), o.At, o.Exact)
		if err != nil {
			return Explanation{}, faults, fmt.Errorf("%s: %w", o.File, err)
		}
		e, marker = evidenceOf(c), c.Marker
	}
	e.ScreenOnly = o.ScreenOnly
	out := set.Explain(o.Agent, e)
	out.At, out.Marker = e.Now, marker
	return cleanExplanation(out), faults, nil
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

// evidenceOf returns what a recording tells at its moment.
func evidenceOf(c term.Cast) detect.Evidence {
	e := detect.Evidence{Screen: screenOf(c.View), Now: c.At, Output: c.Output}
	report := func(r detect.Report) { e.Reports = append(e.Reports, r) }
	for _, ce := range c.Events {
		switch ev := ce.Event.(type) {
		case term.StatusEvent:
			if r, err := detect.ParseRecord([]byte(ev.Body)); err == nil {
				report(detect.Report{At: ce.At, Record: &r})
			}
		case term.ResetEvent:
			report(detect.Report{At: ce.At, Reset: true})
		case term.ProgressEvent:
			e.Screen.Progress, e.Screen.Percent = ev.State, ev.Percent
		case term.MarkEvent:
			e.Screen.Shell = ev.Kind == 'A' || ev.Kind == 'B'
			if ev.Kind == 'A' {
				report(detect.Report{At: ce.At, Prompt: true})
			}
		}
	}
	return e
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
	e.Title, e.Marker = cleanText(e.Title, maxText), cleanText(e.Marker, maxText)
	e.Matched, e.Request, e.Tool = cleanText(e.Matched, maxText), cleanText(e.Request, maxText), cleanText(e.Tool, maxLabel)
	for _, f := range []*detect.Finding{e.InBand, e.Native, e.Screen} {
		if f != nil {
			f.Matched, f.Request, f.Tool = cleanText(f.Matched, maxText), cleanText(f.Request, maxText), cleanText(f.Tool, maxLabel)
		}
	}
	return e
}
