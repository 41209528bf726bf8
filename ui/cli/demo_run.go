package cli

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"deck/lifecycle"
	"deck/term/wire"
)

// demoTick is a sample agent's tenth of a second at speed 1.
const demoTick = 100 * time.Millisecond

// demoRun is a sample agent in its terminal. One goroutine owns it.
type demoRun struct {
	*demo
	app  *app
	tty  *terminal
	told demoSaid
	rest float64 // parts of ticks that were not given yet
	tell chan demoSaid
}

// runDemo is a sample agent until it ends. While it waits it costs nothing.
func (a *app) runDemo(ctx context.Context, d *demo, speed float64) error {
	tty, err := openTerminal(a.stdin, a.stdout, a.env.get("TERM"))
	if err != nil {
		return err
	}
	defer tty.close()
	if err := tty.raw(); err != nil {
		return err
	}
	defer tty.restore(true)
	r := &demoRun{demo: d, app: a, tty: tty, tell: make(chan demoSaid, 1)}
	reported := make(chan struct{})
	go func() { defer close(reported); r.reports(ctx) }()
	r.write("\x1b[?1049h")
	r.loop(ctx, speed)
	r.close()
	close(r.tell)
	<-reported
	if d.code != 0 {
		return exitError(d.code)
	}
	return nil
}

// loop hands it keys and time, and draws after each.
func (r *demoRun) loop(ctx context.Context, speed float64) {
	keys := make(chan []string)
	stop := make(chan struct{})
	gone := make(chan struct{})
	go func() { defer close(gone); r.keys(keys, stop) }()
	defer func() { close(stop); r.tty.stopReading(); <-gone }()
	winch := make(chan os.Signal, 1)
	signal.Notify(winch, syscall.SIGWINCH)
	defer signal.Stop(winch)
	ticker := time.NewTicker(demoTick)
	defer ticker.Stop()
	for !r.ended {
		r.announce()
		r.draw()
		if r.busy() {
			ticker.Reset(demoTick)
		} else {
			ticker.Stop()
		}
		select {
		case <-ctx.Done():
			return
		case typed, ok := <-keys:
			if !ok {
				return
			}
			for _, k := range typed {
				if !r.ended {
					r.key(k)
				}
			}
		case <-winch:
		case <-ticker.C:
			r.rest += speed
			for ; r.rest >= 1 && !r.ended; r.rest-- {
				r.tick()
			}
		}
	}
}

// keys reads the terminal until stopReading.
func (r *demoRun) keys(to chan<- []string, stop <-chan struct{}) {
	defer close(to)
	buf := make([]byte, 4096)
	for {
		n, err := r.tty.read(buf)
		if err != nil {
			return
		}
		select {
		case to <- splitKeys(buf[:n]):
		case <-stop:
			return
		}
	}
}

// splitKeys cuts what a terminal sent into keys. Sequences come whole: deck
// writes each at once.
func splitKeys(p []byte) []string {
	var out []string
	for len(p) > 0 {
		n := 1
		switch {
		case len(p) > 2 && p[0] == 0x1b && p[1] == '[':
			n = 2
			for n < len(p)-1 && (p[n] < 0x40 || p[n] > 0x7e) {
				n++
			}
			n++
		case len(p) > 2 && p[0] == 0x1b && p[1] == ']':
			// The answer to a question; it ends with BEL or ST.
			n = len(p)
			if i := bytes.IndexAny(p, "\a\\"); i > 0 {
				n = i + 1
			}
		case p[0] >= utf8.RuneSelf:
			_, n = utf8.DecodeRune(p)
		}
		k := string(p[:n])
		if k == "\n" {
			k = demoEnter
		}
		out = append(out, k)
		p = p[n:]
	}
	return out
}

// announce says what changed, in the way of the role.
func (r *demoRun) announce() {
	if r.said == r.told {
		return
	}
	r.told = r.said
	switch r.role {
	case roleStatus:
		r.write(inBand(r.said) + "\x1b]0;" + titleOf(r.said) + "\a")
	case roleReport:
		select {
		case <-r.tell: // nobody has taken it yet, and nobody needs to
		default:
		}
		r.tell <- r.said
	}
}

// inBand is a status as the program status protocol (OSC 7501) writes it.
func inBand(s demoSaid) string {
	state, kind := string(s.state), ""
	switch {
	case s.state == lifecycle.Blocked:
		state = "error"
	case s.state == lifecycle.NeedsInput && s.reason == lifecycle.Approval:
		state, kind = "blocked", ":kind=permission"
	case s.state == lifecycle.NeedsInput:
		state, kind = "blocked", ":kind=question"
	}
	body := "state=" + state + ":app=deck-demo" + kind
	if s.message != "" {
		body += ":msg=" + base64.StdEncoding.EncodeToString([]byte(s.message))
	}
	return "\x1b]7501;" + body + "\x1b\\"
}

// titleOf is the window title, with a glyph for what it does.
func titleOf(s demoSaid) string {
	glyph := "✳"
	switch s.state {
	case lifecycle.Working:
		glyph = "◐"
	case lifecycle.NeedsInput:
		glyph = "✋"
	}
	return glyph + " fix the parser"
}

// reports sends what is told, the newest only, so that a server that does not
// answer holds nothing up. Without a server its screen tells the same.
func (r *demoRun) reports(ctx context.Context) {
	said, ok := <-r.tell
	for ok {
		var again <-chan time.Time
		var refused *wire.Error
		err := r.app.report(ctx, said.report())
		if errors.As(err, &refused) && refused.Code == wire.CodeNoAgent {
			// deck has not looked yet at what runs here.
			again = time.After(demoTick)
		}
		select {
		case said, ok = <-r.tell:
		case <-again:
		}
	}
}

// report is a status as a report says it.
func (s demoSaid) report() lifecycle.Report {
	r := lifecycle.Report{Source: "custom:demo", Agent: demoAgentName, State: s.state, Reason: s.reason,
		TTLMillis: lifecycle.MaxTTL.Milliseconds()}
	if s.state == lifecycle.NeedsInput {
		r.Request = s.message
	} else {
		r.Detail = s.message
	}
	return r
}

// draw writes the whole screen at once.
func (r *demoRun) draw() {
	z := r.tty.size()
	rows, x, y := r.rows(z.Cols, z.Rows)
	var b strings.Builder
	b.WriteString("\x1b[?2026h\x1b[?25l\x1b[H")
	for i, row := range rows {
		if i > 0 {
			b.WriteString("\r\n")
		}
		// Erased first: behind a row as wide as the screen the last cell would go.
		b.WriteString("\x1b[K" + colour(row))
	}
	if len(rows) < z.Rows {
		b.WriteString("\r\n\x1b[J")
	}
	if y >= 0 {
		fmt.Fprintf(&b, "\x1b[%d;%dH\x1b[?25h", y+1, x+1)
	}
	b.WriteString("\x1b[?2026l")
	r.write(b.String())
}

// colour gives a row the look of its kind, in the terminal's own colours.
func colour(row string) string {
	for _, c := range []struct{ prefix, sgr string }{
		{"●", "32"}, {"✗", "31"}, {"> ", "1"}, {"─", "2"}, {"  demo ", "2"}, {"  ⎿", "2"}, {"panic:", "31"},
	} {
		if strings.HasPrefix(row, c.prefix) {
			return "\x1b[" + c.sgr + "m" + row + "\x1b[m"
		}
	}
	return row
}

// close gives the terminal back, with the last words left on it.
func (r *demoRun) close() {
	end := "\x1b[?1049l\x1b[?25h"
	if r.role == roleStatus && r.code == 0 {
		end += "\x1b]7501;state=clear\x1b\\\x1b]0;\a"
	}
	for _, line := range r.log[max(0, len(r.log)-6):] {
		end += line + "\r\n"
	}
	r.write(end)
}

// write draws on the terminal. Where that fails the next read fails, too.
func (r *demoRun) write(s string) { _, _ = io.WriteString(r.tty.out, s) }
