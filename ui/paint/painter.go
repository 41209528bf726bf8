package paint

import (
	"fmt"

	"deck/term/screen"
)

// Painter writes what one terminal must be sent. It belongs to one goroutine.
type Painter struct {
	prof   Profile
	w, h   int
	buf    []byte
	motion bool
	title  string
}

// New returns a painter for a terminal of w columns and h rows, of which it
// knows nothing yet.
func New(p Profile, w, h int) *Painter { return &Painter{prof: p, w: w, h: h} }

// Enter returns what takes the terminal over: the alternate screen, the modes,
// and one burst of queries that ends with DA1.
func (p *Painter) Enter() []byte {
	return []byte("\x1b[?1049h\x1b[?1002h\x1b[?1006h\x1b[?2004h\x1b[?1004h")
}

// Leave returns what gives the terminal back as Enter found it. It may be sent
// at any time, in the middle of a frame as well.
func (p *Painter) Leave() []byte {
	return []byte("\x1b\\\x1b[?1003l\x1b[?1002l\x1b[?1006l\x1b[?2004l\x1b[?1004l\x1b[m\x1b[?25h\x1b[?1049l")
}

// SetProfile tells what was learned about the terminal. The next Paint makes
// the difference visible.
func (p *Painter) SetProfile(prof Profile) { p.prof = prof }

// Profile returns the profile in use.
func (p *Painter) Profile() Profile { return p.prof }

// SetMotion asks for the mouse's motion without a button (mode 1003) or for no
// more of it, with the next Paint.
func (p *Painter) SetMotion(on bool) { p.motion = on }

// Resize tells the terminal's size. The next Paint draws everything.
func (p *Painter) Resize(w, h int) { p.w, p.h = w, h }

// Invalidate forgets what the terminal shows. The next Paint draws everything.
func (p *Painter) Invalidate() {}

// Paint returns the bytes that make the terminal show next, with the cursor c
// and the title, and nil where it does already. The bytes are valid until the
// next call. Cells of next outside the terminal's size are left out, missing
// ones are blank.
func (p *Painter) Paint(next *screen.Canvas, c screen.Cursor, title string) []byte {
	b := append(p.buf[:0], "\x1b[?25l\x1b[H\x1b[2J"...)
	for y := range min(p.h, next.H) {
		b = fmt.Appendf(b, "\x1b[%dH", y+1)
		for _, cell := range next.Row(y)[:min(p.w, next.W)] {
			b = append(b, next.Table.Text(cell.Char)...)
		}
	}
	if c.Visible {
		b = fmt.Appendf(b, "\x1b[%d;%dH\x1b[?25h", c.Y+1, c.X+1)
	}
	p.buf = b
	return b
}
