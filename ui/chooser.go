package ui

import (
	"fmt"
	"strings"

	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
)

// chooser is a list of everything one can go to, with a filter.
type chooser struct {
	input  input
	all    []choice
	shown  []choice // those that match the filter
	at     int      // the chosen one, an index of shown
	top    int      // the first one in view
	height int      // rows that were drawn
}

// choice is one row of a chooser.
type choice struct {
	pane  Pane // of a pane's row
	label string
	words string // what the filter looks at
	do    func(*Model) tea.Cmd
}

// choose opens the list with the filter empty, so that Enter alone goes to the
// first pane.
func choose(m *Model) tea.Cmd {
	c := &chooser{input: newInput("")}
	m.open(c.State(m.state))
	return nil
}

// State takes a new state; what was chosen stays chosen where it still is.
func (c *chooser) State(s State) overlay {
	var was string
	if c.at < len(c.shown) {
		was = c.shown[c.at].words
	}
	c.all = choices(s)
	c.filter()
	for i, ch := range c.shown {
		if ch.words == was {
			c.at = i
		}
	}
	return c
}

// choices are panes, then tabs, then sessions.
func choices(s State) []choice {
	var list []choice
	for i, t := range s.Tabs {
		for _, id := range t.Root.Panes() {
			p, ok := s.Pane(id)
			if !ok {
				continue
			}
			list = append(list, choice{
				pane:  p,
				label: fmt.Sprintf("%d %s", i+1, t.Name),
				words: strings.Join([]string{p.Nick, p.Name, program(p), p.Title, p.Dir, string(p.Status.State), p.Project, p.Branch, t.Name}, " "),
				do:    func(m *Model) tea.Cmd { m.show(id); return nil },
			})
		}
	}
	for i, t := range s.Tabs {
		label := fmt.Sprintf("tab %d %s", i+1, t.Name)
		list = append(list, choice{label: label, words: label, do: func(m *Model) tea.Cmd { m.showTab(t.ID); return nil }})
	}
	for _, name := range s.Sessions {
		if name != s.Session {
			list = append(list, choice{label: "session " + name, words: "session " + name, do: request(SwitchSession{Session: name})})
		}
	}
	return list
}

// filter shows the choices that have every word of the filter in them.
func (c *chooser) filter() {
	words := strings.Fields(strings.ToLower(c.input.value()))
	c.shown = c.shown[:0:0]
	for _, ch := range c.all {
		text, ok := strings.ToLower(ch.words), true
		for _, w := range words {
			ok = ok && strings.Contains(text, w)
		}
		if ok {
			c.shown = append(c.shown, ch)
		}
	}
	c.at = max(0, min(c.at, len(c.shown)-1))
}

// Update moves with the arrows, filters with what is typed, and goes with
// Enter or a click.
func (c *chooser) Update(msg tea.Msg) (overlay, func(*Model) tea.Cmd) {
	switch msg := msg.(type) {
	case keyMsg:
		switch k := msg.key; {
		case cancelKeys.has(k):
			return nil, nil
		case acceptKeys.has(k):
			return c.accept()
		case c.move(k):
			return c, nil
		}
	case clickMsg:
		return c.click(msg)
	}
	c.input.take(msg)
	c.filter()
	return c, nil
}

// accept goes to the chosen row; without one the list stays open.
func (c *chooser) accept() (overlay, func(*Model) tea.Cmd) {
	if c.at < len(c.shown) {
		return nil, c.shown[c.at].do
	}
	return c, nil
}

// move moves the choice and reports whether the key was for that.
func (c *chooser) move(k keys.Key) bool {
	switch {
	case upKeys.has(k):
		c.at--
	case downKeys.has(k):
		c.at++
	case pageUpKeys.has(k):
		c.at -= max(c.height, 1)
	case pageDownKeys.has(k):
		c.at += max(c.height, 1)
	default:
		return false
	}
	c.at = max(0, min(c.at, len(c.shown)-1))
	return true
}

// click goes to the row under the mouse; the wheel moves the choice.
func (c *chooser) click(msg clickMsg) (overlay, func(*Model) tea.Cmd) {
	r, mo := c.rect(msg.area), msg.mouse
	switch {
	case outside(msg, r):
		return nil, nil
	case mo.Button == keys.WheelUp:
		c.at = max(0, c.at-1)
	case mo.Button == keys.WheelDown:
		c.at = max(0, min(c.at+1, len(c.shown)-1))
	case pressed(mo):
		if i := c.top + mo.Y - r.Y - 2; mo.Y >= r.Y+2 && mo.Y < r.Y+r.H-1 && i < len(c.shown) {
			c.at = i
			return c.accept()
		}
	}
	return c, nil
}

// rect leaves a margin where there is room, so that the panes are still seen
// behind the box.
func (c *chooser) rect(area layout.Rect) layout.Rect {
	return centred(area, min(84, max(area.W-4, 18)), min(len(c.all)+3, max(area.H-2, 4)))
}

// Draw draws the filter and the rows that fit around the chosen one.
func (c *chooser) Draw(p pen, area layout.Rect) screen.Cursor {
	in := p.box(c.rect(area), "go to")
	n := p.text(in.X+1, in.Y, in.W-1, "filter ", lookFaint)
	cursor := c.input.draw(p, in.X+1+n, in.Y, in.W-2-n)
	c.height = max(in.H-1, 0)
	c.top = max(min(c.top, c.at), c.at-c.height+1, 0)
	for i := range c.height {
		y, j := in.Y+1+i, c.top+i
		if j < len(c.shown) {
			p.choice(layout.Rect{X: in.X, Y: y, W: in.W, H: 1}, c.shown[j], j == c.at)
		}
	}
	if len(c.shown) == 0 && c.height > 0 {
		p.text(in.X+1, in.Y+1, in.W-1, "nothing matches", lookFaint)
	}
	return cursor
}

// choice draws a row in columns of fixed width, so that a changing state does not
// make the list jump.
func (p pen) choice(r layout.Rect, ch choice, here bool) {
	x, w := r.X+1, r.W-2
	if ch.pane.ID == "" {
		p.text(x, r.Y, w, p.th.fit("  "+ch.label, w), lookPlain)
	} else {
		glyph, word, l := p.th.sign(ch.pane)
		for _, col := range []struct {
			text string
			w    int
			look look
		}{
			{glyph, 2, l}, {ch.pane.Nick, 9, lookBold}, {word, 12, l}, {program(ch.pane), 14, lookPlain},
			{ch.label, 16, lookFaint}, {p.th.folder(ch.pane.Dir, max(w-53, 0)), w, lookFaint},
		} {
			cols := min(col.w, w)
			p.text(x, r.Y, cols, p.th.fit(col.text, cols-1), col.look)
			x, w = x+cols, w-cols
		}
	}
	if here {
		row := p.c.Row(r.Y)[r.X : r.X+r.W]
		p.th.mark(markSelection, row)
	}
}

// Dims is true: the box has the keyboard.
func (c *chooser) Dims() bool { return true }
