package term

import (
	"fmt"
	"io"
	"time"

	"deck/term/keys"
	"deck/term/vt"
)

// CastPlayer plays a recording to an emulator, step by step, up to a moment.
// It is for one goroutine.
type CastPlayer struct {
	At     time.Duration // the moment, since the recording began
	Marker string        // the recording's marker that the moment is taken from, if one is near

	head   castHeader
	lines  []castLine
	next   int // index in lines
	em     *vt.Emulator
	tok    keys.Tokenizer
	typed  time.Duration // when tok was fed last
	since  time.Duration // since when a synchronized update goes on
	steady int           // how many of the lines led to the newest rows outside of one
}

// CastStep is what happened at one time of a recording.
type CastStep struct {
	Wrote   bool    // the program drew, or the terminal got another size
	Events  []Event // what it told its terminal
	Presses []Press // keys that a person pressed; what the terminal answers by itself is none
}

// OpenCast reads an asciicast (version 2 or 3) up to seconds after its begin; a
// negative at is its end. A marker of the recording shortly before the moment is
// what is meant by it, unless exact is set.
func OpenCast(r io.Reader, at float64, exact bool) (*CastPlayer, error) {
	h, lines, whole, err := readCast(r, at)
	if err != nil {
		return nil, err
	}
	p := &CastPlayer{head: h}
	if m := markerBefore(lines, at, whole); m >= 0 && at >= 0 && !exact {
		at, p.Marker, lines = lines[m].at, lines[m].data, lines[:m]
	}
	if p.lines = lines; at < 0 {
		at = 0
		if n := len(lines); n > 0 {
			at = lines[n-1].at
		}
	}
	p.At = castTime(at)
	p.em = vt.New(h.Width, h.Height, vt.Options{})
	return p, nil
}

// castTime is a time of a recording, bounded so that it can be counted with.
func castTime(seconds float64) time.Duration {
	return time.Duration(min(max(seconds, 0), maxCastTime) * float64(time.Second))
}

// Next returns when the next step is due, false after the last one.
func (p *CastPlayer) Next() (time.Duration, bool) {
	if p.next >= len(p.lines) {
		return p.pending(p.At)
	}
	at := castTime(p.lines[p.next].at)
	if early, ok := p.pending(at); ok {
		return early, true
	}
	return at, true
}

// pending returns when something comes to its end by time alone, not after at: a
// synchronized update, or the wait for what follows an Esc.
func (p *CastPlayer) pending(at time.Duration) (time.Duration, bool) {
	found := false
	consider := func(t time.Duration) {
		if t <= at {
			at, found = t, true
		}
	}
	if p.em.Modes().Sync {
		consider(p.since + holdLimit)
	}
	if wait := p.tok.Pending(); wait > 0 {
		consider(p.typed + wait)
	}
	return at, found
}

// Step does what is due at Next.
func (p *CastPlayer) Step() CastStep {
	at, ok := p.Next()
	if !ok {
		return CastStep{}
	}
	if _, early := p.pending(at); early {
		return p.expire(at)
	}
	l := p.lines[p.next]
	p.next++
	held, s := p.em.Modes().Sync, CastStep{}
	switch l.kind {
	case "o":
		p.em.Write([]byte(l.data))
		s.Wrote = true
	case "i":
		p.typed = at
		s.Presses = pressesOf(p.tok.Feed([]byte(l.data)))
	case "r":
		var cols, rows int
		if _, err := fmt.Sscanf(l.data, "%dx%d", &cols, &rows); err == nil {
			p.em.Resize(cols, rows)
			s.Wrote = true
		}
	}
	s.Events = p.em.TakeEvents()
	p.em.TakeReplies(nil)
	switch sync := p.em.Modes().Sync; {
	case !sync:
		p.steady = p.next
	case !held:
		p.since = at
	}
	return s
}

// expire ends what lasts no longer than until at.
func (p *CastPlayer) expire(at time.Duration) (s CastStep) {
	if p.em.Modes().Sync && p.since+holdLimit <= at {
		p.em.ReleaseSync()
		p.steady, s.Wrote = p.next, true
	}
	if wait := p.tok.Pending(); wait > 0 && p.typed+wait <= at {
		s.Presses = pressesOf(p.tok.Flush())
	}
	return s
}

func pressesOf(toks []keys.Token) (out []Press) {
	for _, t := range toks {
		if k := PressOf(t); k != PressNone {
			out = append(out, k)
		}
	}
	return out
}

// Generation counts the changes of what is shown.
func (p *CastPlayer) Generation() uint64 { return p.em.Generation() }

// View returns what is shown after the last step.
func (p *CastPlayer) View() View { return viewOf(p.em) }

// Steady returns what was shown last outside of a synchronized update: nobody
// was shown the rest. It plays the recording anew where that is not View.
func (p *CastPlayer) Steady() View {
	if !p.em.Modes().Sync {
		return p.View()
	}
	again := CastPlayer{At: p.At, head: p.head, lines: p.lines[:p.steady], em: vt.New(p.head.Width, p.head.Height, vt.Options{})}
	for again.next < len(again.lines) {
		again.Step()
	}
	return again.View()
}
