package paint

import (
	"strings"
	"testing"

	"deck/term/screen"
)

// TestWithinMargins changes a screen after the left one of two panes scrolled.
// The model fails on everything that margins make unsure.
func TestWithinMargins(t *testing.T) {
	t.Parallel()
	const w, h, border = 80, 12, 50
	line := strings.Repeat("a long line of it ", 9)
	scroll := func(c *screen.Canvas, left, right int) {
		for y := range h - 2 {
			copy(c.Row(y)[left:right], c.Row(y + 1)[left:right])
		}
		Fill(c, left, h-2, right-left, 1, screen.Style{})
		DrawText(c, left, h-2, right-left, "another line")
	}
	tests := []struct {
		name string
		most int // bytes
		do   func(c *screen.Canvas, cur *screen.Cursor)
	}{
		{"it scrolls again", 23, func(c *screen.Canvas, cur *screen.Cursor) { scroll(c, 0, border) }},
		{"the other one scrolls", 60, func(c *screen.Canvas, cur *screen.Cursor) { scroll(c, border+1, w) }},
		{"a letter typed into a line", 40, func(c *screen.Canvas, cur *screen.Cursor) {
			row := c.Row(3)[5:border]
			copy(row[1:], row)
			row[0] = screen.Cell{Char: 'x'}
		}},
		{"a letter deleted from a line", 40, func(c *screen.Canvas, cur *screen.Cursor) {
			row := c.Row(3)[5:border]
			copy(row, row[1:])
			row[len(row)-1] = screen.Cell{}
		}},
		{"both sides of the margin", 40, func(c *screen.Canvas, cur *screen.Cursor) {
			DrawText(c, border-2, 4, 1, "x")
			DrawText(c, border+2, 4, 1, "y")
		}},
		{"a letter before the margin and one after", 40, func(c *screen.Canvas, cur *screen.Cursor) {
			DrawText(c, border-1, 4, 1, "x")
			DrawText(c, border+1, 4, 1, "y")
		}},
		{"the same over the margin", 40, func(c *screen.Canvas, cur *screen.Cursor) {
			DrawText(c, border-20, 4, 40, strings.Repeat("=", 40))
		}},
		{"a wide one over the margin", 40, func(c *screen.Canvas, cur *screen.Cursor) { DrawText(c, border-1, 4, 2, "中") }},
		{"one of doubtful width", 40, func(c *screen.Canvas, cur *screen.Cursor) { DrawText(c, border-1, 4, 1, "⚠") }},
		{"another layout", 360, func(c *screen.Canvas, cur *screen.Cursor) {
			for y := range 4 {
				DrawText(c, 0, y, w, strings.Repeat("0123456789", 8)[y:])
			}
		}},
		{"the row below", 30, func(c *screen.Canvas, cur *screen.Cursor) { DrawText(c, 0, h-1, w, "status") }},
		{"letters in the row below", 30, func(c *screen.Canvas, cur *screen.Cursor) {
			DrawText(c, border-2, h-1, 1, "x")
			DrawText(c, border+1, h-1, 1, "y")
		}},
		{"the cursor goes to the other pane", 10, func(c *screen.Canvas, cur *screen.Cursor) { cur.X, cur.Y = border+3, 2 }},
		{"and below", 10, func(c *screen.Canvas, cur *screen.Cursor) { cur.X, cur.Y = border+3, h-1 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, p, c := newModel(t, w, h, true), New(full(), w, h), screen.NewCanvas(w, h)
			for y := range h - 1 {
				DrawText(c, 0, y, border, line[y%7:])
				DrawText(c, border+1, y, w-border-1, line[2*y%7:])
			}
			VLine(c, border, 0, h-1, LightLine, screen.Style{})
			DrawText(c, 0, h-1, w, line)
			cur := screen.Cursor{X: border - 4, Y: h - 2, Visible: true}
			m.write(string(p.Enter()))
			paint := func() int {
				frame := string(p.Paint(c, cur, ""))
				m.write(frame)
				check(t, m, c, full(), cur)
				return len(frame)
			}
			paint()
			scroll(c, 0, border)
			if paint(); m.right != border-1 {
				t.Fatalf("no margins: %+v", p.region)
			}
			tt.do(c, &cur)
			if n := paint(); n > tt.most {
				t.Errorf("%d bytes, want at most %d", n, tt.most)
			}
		})
	}
}

// TestMarginsEnd: what makes the terminal forget them makes the painter forget
// them too.
func TestMarginsEnd(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(d *desk, m *model){
		"resize": func(d *desk, m *model) { m.resize(150, 40); d.c.Resize(150, 40); d.p.Resize(150, 40) },
		"redraw": func(d *desk, m *model) { m.resize(200, 50); d.p.Invalidate() },
		"leave":  func(d *desk, m *model) { m.write(string(d.p.Leave())); m.write(string(d.p.Enter())) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(full())
			d.p.Invalidate()
			m := newModel(t, 200, 50, true)
			m.write(string(d.p.Enter()))
			cur := screen.Cursor{X: 30, Y: 5, Visible: true}
			show := func() {
				m.write(string(d.p.Paint(d.c, cur, "")))
				check(t, m, d.c, full(), cur)
			}
			show()
			d.log(200)
			show()
			if m.left == 0 {
				t.Fatal("no margins")
			}
			end(d, m)
			show()
			if m.left != 0 || m.right != m.w-1 || m.top != 0 || m.bottom != m.h-1 {
				t.Errorf("margins are left: %d–%d, %d–%d", m.left, m.right, m.top, m.bottom)
			}
			DrawText(d.c, 0, 20, 150, strings.Repeat("across ", 20))
			show()
		})
	}
}
