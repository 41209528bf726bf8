package server

import (
	"context"
	"errors"

	"deck/term"
	"deck/term/layout"
	"deck/term/wire"
)

// listPanes returns the panes of a session, of all where it is empty.
func (l *loop) listPanes(ctx context.Context, _ caller, sessionName string) ([]wire.Pane, error) {
	return call(ctx, l, func() ([]wire.Pane, error) {
		panes := l.inOrder()
		if sessionName != "" {
			s := l.session(sessionName)
			if s == nil {
				return nil, noSession(sessionName)
			}
			panes = l.panesOf(s)
		}
		out := make([]wire.Pane, 0, len(panes))
		for _, p := range panes {
			out = append(out, p.wire())
		}
		return out, nil
	})
}

// noSession is the answer to a name that no session has.
func noSession(name string) *wire.Error {
	return &wire.Error{Code: wire.CodeSessionNotFound, Message: "no such session: " + cleanText(name, maxLabel), Hint: "deck ls lists them"}
}

// paneDone runs f in the loop with the pane of a target, if the caller may do that
// to it.
func (l *loop) paneDone(ctx context.Context, c caller, verb, target string, f func(*pane) error) (wire.Done, error) {
	target, err := l.permit(ctx, c, verb, target)
	if err != nil {
		return wire.Done{}, err
	}
	return call(ctx, l, func() (wire.Done, error) {
		p, err := l.find(target, c)
		if err != nil {
			return wire.Done{}, err
		}
		act := l.act(c, verb, p)
		err = f(p)
		if l.keep(act, err); err != nil {
			return wire.Done{}, err
		}
		return wire.Done{Count: 1}, nil
	})
}

// closeTarget ends a pane, and returns when nothing of it is left.
func (l *loop) closeTarget(ctx context.Context, c caller, r wire.Close) (wire.Done, error) {
	var t *term.Pane
	done, err := l.paneDone(ctx, c, "close", r.Target, func(p *pane) error {
		if err := l.mayClose(p, r.Force); err != nil {
			return err
		}
		t = p.term
		l.closePane(p)
		return nil
	})
	if err != nil {
		return done, err
	}
	select {
	case <-t.Done():
	case <-ctx.Done():
	case <-l.ended:
	}
	return done, nil
}

// reset takes back what a program left switched on in its pane. The emulator is
// waited for outside of the loop.
func (l *loop) reset(ctx context.Context, c caller, r wire.Target) (wire.Done, error) {
	var t *term.Pane
	done, err := l.paneDone(ctx, c, "reset", r.Target, func(p *pane) error {
		t = p.term
		return nil
	})
	if err == nil {
		t.ResetModes()
	}
	return done, err
}

// rename gives a pane or its tab a name.
func (l *loop) rename(ctx context.Context, c caller, r wire.Rename) (wire.Done, error) {
	return l.paneDone(ctx, c, "rename", r.Target, func(p *pane) error {
		if r.Tab {
			return l.renameTab(p.tab, r.Name)
		}
		return l.renamePane(p, r.Name)
	})
}

// renamePane gives a pane a name, or takes it back.
func (l *loop) renamePane(p *pane, name string) error {
	if err := l.checkName(p, name); err != nil {
		return err
	}
	p.name = name
	l.change(p)
	return nil
}

// renameTab gives a tab a name, or takes it back.
func (l *loop) renameTab(t *tab, name string) error {
	if name != "" && !validName(name) {
		return invalid("invalid name: %q", name)
	}
	t.name = name
	l.relaid(t.session)
	return nil
}

// resize gives a pane an exact size, or moves one of its borders.
func (l *loop) resize(ctx context.Context, c caller, r wire.Resize) (wire.Done, error) {
	return l.paneDone(ctx, c, "resize", r.Target, func(p *pane) error {
		switch {
		case r.Side != "":
			return l.moveBorder(p, r.Side, r.Cells)
		case r.Cols < 0 || r.Rows < 0 || r.Cols > maxSide || r.Rows > maxSide || r.Cols+r.Rows == 0:
			return invalid("invalid size: %dx%d", r.Cols, r.Rows)
		}
		cols, rows := p.term.Size()
		if r.Cols > 0 {
			cols = r.Cols
		}
		if r.Rows > 0 {
			rows = r.Rows
		}
		p.owner = ""
		l.fit(p, layout.Rect{W: cols, H: rows})
		return nil
	})
}

// moveBorder makes a pane larger on one side by cells, smaller for negative
// ones.
func (l *loop) moveBorder(p *pane, side string, cells int) error {
	sides := map[string]layout.Side{"left": layout.Left, "right": layout.RightSide, "up": layout.Up, "down": layout.DownSide}
	s, ok := sides[side]
	if !ok || cells == 0 || cells < -maxSide || cells > maxSide {
		return invalid("invalid resize: %s %d", cleanText(side, maxLabel), cells)
	}
	if s == layout.Left || s == layout.Up {
		cells = -cells
	}
	area := l.areaOf(p.tab.session, p)
	before, root := p.tab.root.Arrange(area), p.tab.root.Resize(area, p.id, s, cells)
	moved := false
	for i, q := range root.Arrange(area) {
		moved = moved || q != before[i]
	}
	if !moved {
		return invalid("nothing to resize on that side")
	}
	p.tab.root = root
	l.relaid(p.tab.session)
	l.refit(p.tab)
	return nil
}

// refit gives the panes of a tab that no client shows the size they have in its
// layout. Those on a screen get theirs from the client.
func (l *loop) refit(t *tab) {
	for _, q := range t.root.Arrange(l.areaOf(t.session, l.panes[t.root.Panes()[0]])) {
		p := l.panes[q.Pane]
		shown := false
		for _, a := range l.order {
			shown = shown || a.shows(q.Pane)
		}
		if p != nil && !shown && p.term != nil {
			cols, rows := innerSize(q.Rect)
			l.fit(p, layout.Rect{W: cols, H: rows})
		}
	}
}

// terminal returns the terminal of a target.
func (l *loop) terminal(ctx context.Context, c caller, target string) (*term.Pane, layout.PaneID, error) {
	type found struct {
		t  *term.Pane
		id layout.PaneID
	}
	f, err := call(ctx, l, func() (found, error) {
		p, err := l.find(target, c)
		if err != nil {
			return found{}, err
		}
		return found{p.term, p.id}, nil
	})
	return f.t, f.id, err
}

// send presses keys or types text.
func (l *loop) send(ctx context.Context, c caller, r wire.Send) (wire.Done, error) {
	if len(r.Keys) == 0 && r.Literal == "" {
		return wire.Done{}, invalid("nothing to send")
	}
	target, err := l.permit(ctx, c, "send", r.Target)
	if err != nil {
		return wire.Done{}, err
	}
	type found struct {
		t   *term.Pane
		id  layout.PaneID
		act wire.Audited
	}
	f, err := call(ctx, l, func() (found, error) {
		p, err := l.find(target, c)
		if err != nil {
			return found{}, err
		}
		return found{p.term, p.id, l.act(c, "send", p)}, nil
	})
	if err != nil {
		return wire.Done{}, err
	}
	err = l.typeInto(f.t, f.id, r)
	if l.keep(f.act, err); err != nil {
		return wire.Done{}, err
	}
	return wire.Done{Count: 1}, nil
}

// typeInto presses keys and types text.
func (l *loop) typeInto(t *term.Pane, id layout.PaneID, r wire.Send) (err error) {
	l.sent(id, r)
	if len(r.Keys) > 0 {
		err = t.SendKeys(r.Keys)
	}
	switch {
	case err != nil || r.Literal == "":
	case r.Paste:
		err = t.Paste(r.Literal)
	default:
		err = t.SendText(r.Literal)
	}
	switch {
	case errors.Is(err, term.ErrEnded):
		return &wire.Error{Code: wire.CodePaneEnded, Message: "the program of " + string(id) + " has ended"}
	case err != nil:
		return invalid("%v", err)
	}
	if s, ok := (*l.index.Load())[id]; ok {
		s.looked.output()
	}
	return nil
}

// maxPeek is the most rows of history in one answer.
const maxPeek = 1 << 20

// peek returns what a pane shows.
func (l *loop) peek(ctx context.Context, c caller, r wire.Peek) (wire.Peeked, error) {
	if r.Lines < 0 {
		return wire.Peeked{}, invalid("invalid number of lines: %d", r.Lines)
	}
	t, id, err := l.terminal(ctx, c, r.Target)
	if err != nil {
		return wire.Peeked{}, err
	}
	rows := 0
	if r.History {
		rows = maxPeek
		if r.Lines > 0 {
			rows = min(r.Lines, maxPeek)
		}
	}
	look := t.Look(rows, r.Ansi)
	out := wire.Peeked{ID: string(id), Cols: look.Cols, Rows: look.Rows, Screen: look.Screen,
		Cursor: [2]int{look.Cursor.X, look.Cursor.Y}, Title: cleanText(look.Title, maxText)}
	lines := look.Lines
	if r.Lines > 0 {
		end := len(lines)
		for end > 0 && lines[end-1].Text == "" {
			end--
		}
		first := max(end-r.Lines, 0)
		lines, out.Screen = lines[first:end], max(look.Screen-first, 0)
	}
	out.Lines = make([]string, len(lines))
	for i, line := range lines {
		out.Lines[i] = line.Text
	}
	return out, nil
}

// focus makes a pane the current one of its session; the clients there go to
// it.
func (l *loop) focus(ctx context.Context, c caller, r wire.Target) (wire.Done, error) {
	return l.paneDone(ctx, c, "focus", r.Target, func(p *pane) error {
		p.tab.session.current = p
		for _, a := range l.order {
			if a.session == p.tab.session {
				a.sink.focus(p.id)
			}
		}
		return nil
	})
}
