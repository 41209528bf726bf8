package term

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// markerReach is how far behind a marker a moment may lie and still mean it,
// in seconds: who writes down a moment does it after having seen it.
const markerReach = 2.5

const (
	maxCast     = 256 << 20 // bytes of a recording that are read
	maxCastTime = 1e8       // seconds that a recording takes
)

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

// markerBefore returns the index of the last marker within reach of a moment,
// -1 if there is none. One that closes the recording with how the program ended
// ("exit status=0") is about its end, not about a screen.
func markerBefore(lines []castLine, at float64, whole bool) int {
	last := len(lines) - 1
	if whole && last >= 0 && lines[last].kind == "m" && strings.HasPrefix(lines[last].data, "exit") {
		last--
	}
	for i := last; i >= 0 && at-lines[i].at <= markerReach; i-- {
		if lines[i].kind == "m" {
			return i
		}
	}
	return -1
}

// readCast returns the header and the lines until at; whole says that there are
// no others.
func readCast(r io.Reader, at float64) (h castHeader, lines []castLine, whole bool, err error) {
	in := bufio.NewScanner(io.LimitReader(r, maxCast))
	in.Buffer(nil, maxCast)
	if !in.Scan() || json.Unmarshal(in.Bytes(), &h) != nil || h.Version < 2 {
		if err := in.Err(); err != nil {
			return h, nil, false, fmt.Errorf("read recording: %w", err)
		}
		return h, nil, false, errors.New("not an asciicast of version 2 or 3")
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
			return h, nil, false, fmt.Errorf("recording line %d: %w", n, err)
		}
		if h.Version >= 3 {
			l.at += now // counted from the line before
		}
		now = l.at
		if at >= 0 && l.at > at {
			return h, lines, false, nil
		}
		lines = append(lines, l)
	}
	if err := in.Err(); err != nil {
		return h, nil, false, fmt.Errorf("read recording: %w", err)
	}
	return h, lines, true, nil
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
