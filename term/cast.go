package term

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"deck/term/vt"
)

// CastEvent is something a recorded program told its terminal besides text.
type CastEvent struct {
	At    float64 // seconds since the recording began
	Event Event
}

// Cast is a recording at one moment: what the terminal shows then and what
// the program had told it until then, oldest first.
type Cast struct {
	View   View
	Events []CastEvent
	At     float64 // the moment, in seconds
	Marker string  // the recording's marker that the moment is taken from, if one is near
	Output float64 // when the program last wrote before it
}

// markerReach is how far behind a marker a moment may lie and still mean it,
// in seconds: who writes down a moment does it after having seen it.
const markerReach = 2.5

// maxCast is the most bytes of a recording that are read.
const maxCast = 256 << 20

// castHeader is the first line of a recording, of version 2 or 3 of the format.
type castHeader struct {
	Version int `json:"version"`
	Width   int `json:"width"`
	Height  int `json:"height"`
	Term    struct {
		Cols int `json:"cols"`
		Rows int `json:"rows"`
	} `json:"term"`
}

// castLine is one line after it: what was written, or a new size, and when.
type castLine struct {
	at   float64
	kind string
	data string
}

// IsCast reports whether a file begins as an asciicast does.
func IsCast(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	var h castHeader
	return len(line) > 0 && line[0] == '{' && json.Unmarshal(line, &h) == nil && h.Version >= 2
}

// ReplayCast feeds an asciicast (version 2 or 3) to an emulator, up to and
// with what was written at seconds after its begin; a negative at takes all of it.
// Where that falls into a synchronized update, the rows are those before it:
// nobody was shown the rest. A marker of the recording shortly before the
// moment is what is meant by it, unless exact is set.
func ReplayCast(r io.Reader, at float64, exact bool) (Cast, error) {
	h, lines, err := readCast(r, at)
	if err != nil {
		return Cast{}, err
	}
	marker := ""
	if m := markerBefore(lines, at); m >= 0 && at >= 0 && !exact {
		at, marker, lines = lines[m].at, lines[m].data, lines[:m]
	}
	c, steady := playCast(h, lines)
	c.Marker = marker
	if c.At = at; at < 0 {
		c.At = c.Output
	}
	if c.View.Held && steady > 0 {
		before, _ := playCast(h, lines[:steady])
		c.View = before.View
	}
	return c, nil
}

// markerBefore returns the index of the last marker within reach of a moment,
// -1 if there is none.
func markerBefore(lines []castLine, at float64) int {
	for i := len(lines) - 1; i >= 0 && at-lines[i].at <= markerReach; i-- {
		if lines[i].kind == "m" {
			return i
		}
	}
	return -1
}

// playCast also returns how many of the lines lead to the newest screen that
// is not inside a synchronized update.
func playCast(h castHeader, lines []castLine) (c Cast, steady int) {
	e := vt.New(h.Width, h.Height, vt.Options{})
	for i, l := range lines {
		switch l.kind {
		case "o":
			e.Write([]byte(l.data))
			c.Output = l.at
		case "r":
			var cols, rows int
			if _, err := fmt.Sscanf(l.data, "%dx%d", &cols, &rows); err == nil {
				e.Resize(cols, rows)
			}
		}
		for _, ev := range e.TakeEvents() {
			c.Events = append(c.Events, CastEvent{At: l.at, Event: ev})
		}
		e.TakeReplies(nil)
		if !e.Modes().Sync {
			steady = i + 1
		}
	}
	c.View = viewOf(e)
	return c, steady
}

// readCast returns the header and the lines until at.
func readCast(r io.Reader, at float64) (h castHeader, lines []castLine, err error) {
	in := bufio.NewScanner(io.LimitReader(r, maxCast))
	in.Buffer(nil, maxCast)
	if !in.Scan() || json.Unmarshal(in.Bytes(), &h) != nil || h.Version < 2 {
		if err := in.Err(); err != nil {
			return h, nil, fmt.Errorf("read recording: %w", err)
		}
		return h, nil, errors.New("not an asciicast of version 2 or 3")
	}
	if h.Term.Cols > 0 {
		h.Width, h.Height = h.Term.Cols, h.Term.Rows
	}
	now := 0.0
	for n := 2; in.Scan(); n++ {
		if len(bytes.TrimSpace(in.Bytes())) == 0 || in.Bytes()[0] == '#' {
			continue
		}
		l, err := parseCastLine(in.Bytes())
		if err != nil {
			return h, nil, fmt.Errorf("recording line %d: %w", n, err)
		}
		if h.Version >= 3 {
			l.at += now // counted from the line before
		}
		now = l.at
		if at >= 0 && l.at > at {
			break
		}
		lines = append(lines, l)
	}
	if err := in.Err(); err != nil {
		return h, nil, fmt.Errorf("read recording: %w", err)
	}
	return h, lines, nil
}

func parseCastLine(text []byte) (l castLine, err error) {
	var fields [3]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return l, err
	}
	for i, to := range []any{&l.at, &l.kind, &l.data} {
		if err := json.Unmarshal(fields[i], to); err != nil {
			return l, err
		}
	}
	return l, nil
}
