package paint

import (
	"strings"
	"unicode/utf8"

	"deck/term/screen"
)

const (
	beginSync  = "\x1b[?2026h"
	endSync    = "\x1b[?2026l"
	hideCursor = "\x1b[?25l"
	showCursor = "\x1b[?25h"
	autowrap   = "\x1b[?7h"
	noAutowrap = "\x1b[?7l"
)

// longestTitle is the most bytes of a title that are passed on.
const longestTitle = 256

// modes are the terminal's modes as the painter set them.
type modes struct {
	entered    bool // between Enter and Leave
	visible    bool // the cursor
	shape      byte // of the cursor, as DECSCUSR has it
	titled     bool // title is set
	title      string
	kitty      bool
	other      bool // modifyOtherKeys
	grapheme   bool
	margins    bool
	motion     bool
	wantMotion bool
	want, told Status
}

// Enter returns what takes the terminal over: the alternate screen, the modes
// that deck reads its keys in, and one burst of queries that ends with DA1.
// What the answers bring (Profile.Learn, SetProfile) is used from the next
// Paint on.
func (p *Painter) Enter() []byte {
	var b []byte
	set := func(can bool, seq string) {
		if can {
			b = append(b, seq...)
		}
	}
	set(p.prof.AltScreen, "\x1b[?1049h")
	set(p.prof.Title, "\x1b[22;2t")
	set(!p.prof.Dumb, hideCursor)
	set(p.prof.Paste, "\x1b[?2004h")
	set(p.prof.Focus, "\x1b[?1004h")
	set(p.prof.Query, "\x1b[?2031h") // tells when its colours change
	set(p.prof.Mouse, "\x1b[?1002h\x1b[?1006h")
	set(p.prof.Kitty, "\x1b[>1u")
	other := p.prof.ModifyOtherKeys && !p.prof.Kitty
	set(other, "\x1b[>4;2m")
	b = append(b, p.prof.queries()...)
	p.modes = modes{entered: true, visible: p.prof.Dumb, kitty: p.prof.Kitty, other: other,
		wantMotion: p.modes.wantMotion, want: p.modes.want}
	p.Invalidate()
	return b
}

// Leave returns what gives the terminal back as Enter found it. It may be sent
// at any time, in the middle of a frame and of a sequence as well.
func (p *Painter) Leave() []byte {
	b := []byte("\x1b\\") // ends whatever string was cut short
	set := func(can bool, seq string) {
		if can {
			b = append(b, seq...)
		}
	}
	set(p.prof.Sync, endSync)
	set(p.modes.margins, "\x1b[?69l")
	set(p.prof.Links, closeLink)
	set(p.modes.grapheme, "\x1b[?2027l")
	set(p.prof.Mouse, "\x1b[?1003l\x1b[?1002l\x1b[?1006l")
	set(p.prof.Query, "\x1b[?2031l")
	set(p.prof.Focus, "\x1b[?1004l")
	set(p.prof.Paste, "\x1b[?2004l")
	set(p.modes.kitty, "\x1b[<u")
	set(p.modes.other, "\x1b[>4m")
	set(p.prof.Shape, "\x1b[0 q")
	set(true, "\x1b[r\x1b[m"+autowrap)
	set(!p.prof.AltScreen, "\x1b[H\x1b[2J")
	set(p.prof.Title, "\x1b[23;2t")
	set(p.modes.told != Status{}, Status{}.encode())
	set(true, showCursor)
	set(p.prof.AltScreen, "\x1b[?1049l")
	// Should the same terminal be entered again, all starts anew.
	p.modes = modes{visible: true, wantMotion: p.modes.wantMotion, want: p.modes.want}
	p.Invalidate()
	return b
}

// switchModes brings the terminal's modes to what was learned and asked for.
func (p *Painter) switchModes() {
	m := &p.modes
	if !m.entered {
		return
	}
	if p.prof.Kitty && !m.kitty {
		if m.other {
			p.buf = append(p.buf, "\x1b[>4m"...)
		}
		p.buf = append(p.buf, "\x1b[>1u"...)
		m.kitty, m.other = true, false
	}
	if p.prof.Grapheme && !m.grapheme {
		p.buf = append(p.buf, "\x1b[?2027h"...)
		m.grapheme = true
	}
	if p.prof.Margins && !m.margins {
		p.buf = append(p.buf, "\x1b[?69h"...)
		m.margins = true
	}
	if m.motion != m.wantMotion && p.prof.Mouse {
		m.motion = m.wantMotion
		if m.motion {
			p.buf = append(p.buf, "\x1b[?1003h"...)
		} else {
			// The two are one mode to a terminal: the end of 1003 is the end of 1002.
			p.buf = append(p.buf, "\x1b[?1003l\x1b[?1002h"...)
		}
	}
}

// setTitle writes the title where it changed. Only what can be shown of it
// gets out.
func (p *Painter) setTitle(title string) {
	m := &p.modes
	if !p.prof.Title || !m.entered || m.titled && m.title == title {
		return
	}
	m.title, m.titled = title, true
	p.buf = append(p.buf, "\x1b]2;"...)
	end := len(p.buf) + longestTitle
	for _, r := range title {
		if hidden(r) || r == utf8.RuneError {
			continue
		}
		if p.prof.ASCII {
			r = asciiRune(r)
		}
		if len(p.buf)+utf8.UTFMax > end {
			break
		}
		p.buf = utf8.AppendRune(p.buf, r)
	}
	p.buf = append(p.buf, "\x1b\\"...)
}

// setCursor puts the cursor where it belongs, as the last thing of a frame.
func (p *Painter) setCursor(c screen.Cursor) {
	m := &p.modes
	if !c.Visible {
		if m.visible {
			p.buf = append(p.buf, hideCursor...)
			m.visible = false
		}
		return
	}
	p.move(min(max(c.X, 0), p.w-1), min(max(c.Y, 0), p.h-1))
	if s := shape(c); p.prof.Shape && s != m.shape {
		p.buf = append(p.buf, '\x1b', '[', '0'+s, ' ', 'q')
		m.shape = s
	}
	if !m.visible {
		p.buf = append(p.buf, showCursor...)
		m.visible = true
	}
}

// shape returns the parameter of DECSCUSR: odd for a blinking cursor.
func shape(c screen.Cursor) byte {
	if c.Shape == screen.DefaultCursor || c.Shape > screen.BarCursor {
		return 0
	}
	n := byte(c.Shape) * 2
	if c.Blink {
		n--
	}
	return n
}

// clean leaves out of s what must not be sent.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if hidden(r) {
			return -1
		}
		return r
	}, s)
}
