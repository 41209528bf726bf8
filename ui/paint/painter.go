package paint

import "deck/term/screen"

// Painter writes what one terminal must be sent. It belongs to one goroutine.
type Painter struct {
	prof Profile
	w, h int

	tr    translator
	last  *screen.Canvas
	shown []screen.Cell // what the terminal shows, in ids of tr.own
	want  []screen.Cell // the next canvas in the same ids
	left  []int         // first and last column of each row where they differ;
	right []int         // left is beyond right where a row needs nothing

	lost  bool // nothing is known of what the terminal shows
	pen   screen.Style
	penID screen.StyleID
	x, y  int // the terminal's cursor; -1 where it is not certain

	region band // the terminal's margins, everywhere where none are set

	modes modes
	match matcher

	buf      []byte
	sgr, alt []byte // two ways to write one change of the pen
}

// room is kept free before a frame for what must come first once its size is
// known.
const room = 16

// bigFrame is the size from which a frame is worth being drawn in one piece.
const bigFrame = 160

// New returns a painter for a terminal of w columns and h rows, of which it
// knows nothing yet.
func New(p Profile, w, h int) *Painter {
	t := &Painter{prof: p, modes: modes{visible: true}}
	t.tr.init()
	t.Resize(w, h)
	return t
}

// Profile returns the profile in use.
func (p *Painter) Profile() Profile { return p.prof }

// SetProfile tells what was learned about the terminal. The next Paint makes
// the difference visible.
func (p *Painter) SetProfile(prof Profile) {
	old := p.prof
	p.prof = prof
	if old.Colors != prof.Colors || old.ASCII != prof.ASCII || old.Underlines != prof.Underlines ||
		old.UnderlineColors != prof.UnderlineColors || old.Links != prof.Links {
		p.tr.forget()
	}
}

// SetMotion asks for the mouse's motion without a button (mode 1003) or for no
// more of it, with the next Paint.
func (p *Painter) SetMotion(on bool) { p.modes.wantMotion = on }

// Resize tells the terminal's size. The next Paint draws everything.
func (p *Painter) Resize(w, h int) {
	w, h = max(w, 1), max(h, 1)
	if w == p.w && h == p.h {
		p.Invalidate()
		return
	}
	p.w, p.h = w, h
	p.shown = make([]screen.Cell, w*h)
	p.want = make([]screen.Cell, w*h)
	p.left, p.right = make([]int, h), make([]int, h)
	p.tr.resize(w, h)
	p.Invalidate()
}

// Invalidate forgets what the terminal shows. The next Paint draws everything.
func (p *Painter) Invalidate() {
	p.lost = true
	p.tr.forget()
}

// Paint returns the bytes that make the terminal show next, with the cursor c
// and the title, and nil where it does already. The bytes are valid until the
// next call; they may be appended to. Cells of next outside the terminal's
// size are left out, missing ones are blank. Of a canvas that it was given the
// last time it looks at the fresh rows only, and settles them.
func (p *Painter) Paint(next *screen.Canvas, c screen.Cursor, title string) []byte {
	var blank [room]byte
	p.buf = append(p.buf[:0], blank[:]...)
	p.sweep()
	p.switchModes()
	p.setTitle(title)
	p.tellStatus()
	if p.lost {
		p.wipe()
	}
	if p.read(next) > 1 {
		p.scrollRows()
	}
	p.widenFor()
	for y := range p.h {
		if p.left[y] <= p.right[y] {
			p.drawRow(y)
		}
	}
	return p.finish(c)
}

// finish ends a frame with the cursor, and puts it in one piece: inside a
// synchronized update, or with the cursor out of sight.
func (p *Painter) finish(c screen.Cursor) []byte {
	start, big := room, len(p.buf)-room > bigFrame
	if big && !p.prof.Sync && p.modes.visible {
		start -= copy(p.buf[start-len(hideCursor):], hideCursor)
		p.modes.visible = false
	}
	if big {
		p.setPen(0) // the next letter typed is likely to be plain: it is one byte then
	}
	p.setCursor(c)
	if len(p.buf) == start {
		return nil
	}
	if big && p.prof.Sync {
		start -= copy(p.buf[start-len(beginSync):], beginSync)
		p.buf = append(p.buf, endSync...)
	}
	return p.buf[start:]
}

// wipe makes the terminal blank and its state certain.
func (p *Painter) wipe() {
	p.lost = false
	if p.prof.Links {
		p.buf = append(p.buf, closeLink...)
	}
	p.buf = append(p.buf, "\x1b[m\x0f\x1b(B\x1b[4l\x1b[?6l\x1b[?7l\x1b[r\x1b[H\x1b[2J"...)
	if p.modes.margins {
		p.buf = append(p.buf, "\x1b[s"...)
	}
	clear(p.shown)
	p.pen, p.penID = screen.Style{}, 0
	p.x, p.y = 0, 0
	p.region = p.everywhere()
}

// read takes the next canvas in and returns how many rows differ from what is
// shown.
func (p *Painter) read(next *screen.Canvas) int {
	p.tr.bind(next.Table)
	same := p.last == next
	p.last = next
	defer next.Settle()
	n := 0
	for y := range p.h {
		p.left[y], p.right[y] = 1, 0
		if same && p.tr.rawOK[y] && y < next.H && !next.Fresh(y) {
			continue
		}
		var row []screen.Cell
		if y < next.H {
			row = next.Row(y)[:min(p.w, next.W)]
		}
		if !p.tr.row(&p.prof, p.want[y*p.w:(y+1)*p.w], y, row) {
			continue
		}
		p.extent(y)
		if p.left[y] <= p.right[y] {
			n++
		}
	}
	return n
}

// extent finds where row y differs from what is shown.
func (p *Painter) extent(y int) {
	p.left[y], p.right[y] = differ(p.shownRow(y), p.wantRow(y), 0, p.w-1)
}

// differ returns the first and the last column of [l, r] where two rows
// differ; the first is beyond the last where none does.
func differ(a, b []screen.Cell, l, r int) (first, last int) {
	for l+stride <= r && *(*[stride]screen.Cell)(a[l:]) == *(*[stride]screen.Cell)(b[l:]) {
		l += stride
	}
	for l <= r && a[l] == b[l] {
		l++
	}
	for r-stride > l && *(*[stride]screen.Cell)(a[r-stride+1:]) == *(*[stride]screen.Cell)(b[r-stride+1:]) {
		r -= stride
	}
	for r > l && a[r] == b[r] {
		r--
	}
	return l, r
}

// stride is how many cells are compared at once: as arrays they are compared
// as memory.
const stride = 16

// equal reports whether two rows of the same length are the same.
func equal(a, b []screen.Cell) bool {
	i := 0
	for ; i+stride <= len(a); i += stride {
		if *(*[stride]screen.Cell)(a[i:]) != *(*[stride]screen.Cell)(b[i:]) {
			return false
		}
	}
	for ; i < len(a); i++ {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (p *Painter) shownRow(y int) []screen.Cell { return p.shown[y*p.w : (y+1)*p.w] }
func (p *Painter) wantRow(y int) []screen.Cell  { return p.want[y*p.w : (y+1)*p.w] }

// sweep drops the styles, clusters and links that are not on the screen any
// more, when they have become many.
func (p *Painter) sweep() {
	if !p.tr.full() {
		return
	}
	if p.pen.Link != 0 {
		p.buf = append(p.buf, closeLink...)
		p.pen.Link = 0
	}
	p.tr.sweep(p.shown)
	p.penID = p.tr.own.StyleID(p.pen)
}
