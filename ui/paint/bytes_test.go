package paint

import (
	"fmt"
	"strings"
	"testing"

	"deck/term/screen"
)

// desk is a screen as deck draws one: a sidebar of 24 columns, a border, a pane
// and a status line.
type desk struct {
	c    *screen.Canvas
	p    *Painter
	x, y int
	logs int
}

func newDesk(prof Profile) *desk {
	d := &desk{c: screen.NewCanvas(200, 50), p: New(prof, 200, 50), x: 25}
	d.p.Enter()
	bold := screen.Style{Attr: screen.Bold, Fg: screen.Palette(4)}
	for i := range 8 {
		DrawTextOn(d.c, 1, 1+3*i, 22, bold, fmt.Sprintf("● Agent%d", i))
		DrawTextOn(d.c, 3, 2+3*i, 20, screen.Style{Attr: screen.Faint}, "~/src/project")
	}
	VLine(d.c, 24, 0, 49, LightLine, screen.Style{Fg: screen.Palette(8)})
	DrawTextOn(d.c, 0, 49, 200, screen.Style{Attr: screen.Reverse}, strings.Repeat(" ", 200))
	for range 49 {
		d.log(d.c.W)
	}
	d.paint()
	return d
}

func (d *desk) paint() int {
	return len(d.p.Paint(d.c, screen.Cursor{X: d.x, Y: d.y, Visible: true}, "deck"))
}

// log scrolls the pane by one line of a build log.
func (d *desk) log(right int) {
	for y := range 48 {
		copy(d.c.Row(y)[25:right], d.c.Row(y + 1)[25:right])
	}
	Fill(d.c, 25, 48, right-25, 1, screen.Style{})
	d.logs++
	DrawText(d.c, 25, 48, right-25, fmt.Sprintf("\x1b[32m12:00:%02d\x1b[m build: compiled package number %d in %d ms", d.logs%60, d.logs, d.logs*37%991))
}

// key echoes a letter.
func (d *desk) key() {
	DrawText(d.c, d.x, d.y, 1, string(rune('a'+d.x%26)))
	d.x++
}

// TestBytes holds the number of bytes of everyday changes.
func TestBytes(t *testing.T) {
	t.Parallel()
	bare := full()
	bare.Margins, bare.Sync, bare.Repeat = false, false, false
	tests := []struct {
		name  string
		prof  Profile
		most  int
		first func(d *desk)
		do    func(d *desk)
	}{
		{"key", full(), 1, (*desk).key, (*desk).key},
		{"key after a screenful", full(), 1, func(d *desk) {
			for y := range 30 {
				DrawTextOn(d.c, 60, y, 100, screen.Style{Fg: screen.Palette(3)}, strings.Repeat("colour ", 9+y%3))
			}
		}, (*desk).key},
		{"key in a line", full(), 30, (*desk).key, func(d *desk) {
			row := d.c.Row(d.y)
			copy(row[d.x+1:], row[d.x:len(row)-1])
			d.key()
		}},
		{"backspace", full(), 3, (*desk).key, func(d *desk) {
			d.x--
			DrawText(d.c, d.x, d.y, 1, " ")
		}},
		{"spinner", full(), 25, (*desk).key, func(d *desk) { DrawTextOn(d.c, 1, 4, 1, screen.Style{Fg: screen.Palette(2)}, "✻") }},
		{"log", full(), 100, nil, func(d *desk) { d.log(d.c.W) }},
		{"log as before", full(), 75, func(d *desk) { d.log(d.c.W) }, func(d *desk) { d.log(d.c.W) }},
		{"log at the cursor", full(), 68, func(d *desk) {
			d.x, d.y = 25, 48
			d.log(d.c.W)
		}, func(d *desk) { d.log(d.c.W) }},
		{"log without margins", bare, 600, nil, func(d *desk) { d.log(d.c.W) }},
		{"log in a pane of two", full(), 100, func(d *desk) {
			VLine(d.c, 120, 0, 49, LightLine, screen.Style{})
			d.log(120)
		}, func(d *desk) { d.log(120) }},
		{"log, clock and spinner", full(), 135, nil, func(d *desk) {
			d.log(d.c.W)
			DrawTextOn(d.c, 190, 49, 9, screen.Style{Attr: screen.Reverse}, "12:34:56")
			DrawTextOn(d.c, 1, 4, 1, screen.Style{Fg: screen.Palette(2)}, "✻")
		}},
		{"burst of lines", full(), 680, nil, func(d *desk) {
			for range 10 {
				d.log(d.c.W)
			}
		}},
		{"two panes scroll apart", full(), 330, func(d *desk) {
			VLine(d.c, 120, 0, 49, LightLine, screen.Style{})
		}, func(d *desk) {
			d.log(120)
			for y := 48; y > 1; y-- {
				copy(d.c.Row(y)[121:], d.c.Row(y - 2)[121:])
			}
		}},
		{"agent", full(), 80, func(d *desk) { d.agent(1) }, func(d *desk) { d.agent(2) }},
		{"nothing", full(), 0, nil, func(*desk) {}},
		{"clear", full(), 300, nil, func(d *desk) { Fill(d.c, 25, 0, 175, 49, screen.Style{}) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(tt.prof)
			if tt.first != nil {
				tt.first(d)
				d.paint()
			}
			tt.do(d)
			n := d.paint()
			t.Logf("%d bytes: %.400q", n, d.p.buf)
			if n > tt.most {
				t.Errorf("%d bytes, want at most %d", n, tt.most)
			}
		})
	}
}

// agent draws the live part of an agent's screen: a spinner line and a box for
// what is typed, of which only the counters change.
func (d *desk) agent(n int) {
	Fill(d.c, 25, 40, 175, 8, screen.Style{})
	DrawText(d.c, 27, 41, 100, fmt.Sprintf("\x1b[38;2;215;119;87m✻ Thinking…\x1b[m (%ds · ↑ %d tokens)", 10+n, 1200+n*7))
	Box(d.c, 26, 43, 170, 3, RoundLine, screen.Style{Fg: screen.Palette(8)})
	DrawText(d.c, 28, 44, 100, "> ")
}

func BenchmarkKey(b *testing.B) {
	d := newDesk(full())
	b.ReportAllocs()
	for i := range b.N {
		d.x, d.y = 25+i%100, 20
		d.key()
		d.paint()
	}
}

func BenchmarkNothing(b *testing.B) {
	d := newDesk(full())
	b.ReportAllocs()
	for range b.N {
		d.paint()
	}
}

func BenchmarkLog(b *testing.B) {
	for name, margins := range map[string]bool{"margins": true, "plain": false} {
		b.Run(name, func(b *testing.B) {
			prof := full()
			prof.Margins = margins
			d := newDesk(prof)
			b.ReportAllocs()
			for range b.N {
				d.log(d.c.W)
				d.paint()
			}
		})
	}
}

func BenchmarkEveryCell(b *testing.B) {
	d := newDesk(full())
	var ids []screen.StyleID
	for i := range 512 {
		ids = append(ids, d.c.Table.StyleID(screen.Style{Fg: screen.RGB(uint8(i), uint8(i/2), 9), Bg: screen.RGB(7, uint8(i), uint8(i/2))}))
	}
	b.ReportAllocs()
	n := 0
	for i := range b.N {
		for j := range d.c.Cells {
			d.c.Cells[j] = screen.Cell{Char: screen.Char('a' + (i+j)%26), Style: ids[(i*7+j*3)%512]}
		}
		n += d.paint()
	}
	b.ReportMetric(float64(n)/float64(b.N), "B/frame")
}
