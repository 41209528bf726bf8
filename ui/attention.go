package ui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"deck/lifecycle"
	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
)

// attention is the list of agents that want a person, with what they want.
type attention struct {
	list []waiting
	at   layout.PaneID // the chosen one
	row  int           // where it was, for when it is gone
	top  int           // the first one in view
	fits int           // how many were drawn
	now  time.Time
	// The requests as they were last drawn: an answer is for what was seen, not
	// for what came just before the key.
	drawn map[layout.PaneID]string
}

// attentionHeight is how many rows one agent has in the list.
const attentionHeight = 2

// attend opens the list.
func attend(m *Model) tea.Cmd {
	m.open(&attention{drawn: map[layout.PaneID]string{}})
	m.refreshAttention()
	return nil
}

// refreshAttention gives the open list what has changed.
func (m *Model) refreshAttention() {
	if a, ok := m.over.(*attention); ok {
		a.refresh(m.waitingList(), m.now)
	}
}

// refresh takes a new list. What was chosen stays chosen; when it is gone, what
// came after it is.
func (a *attention) refresh(list []waiting, now time.Time) {
	a.list, a.now = list, now
	i := a.index()
	if i < 0 {
		i = min(a.row, len(list)-1)
	}
	a.choose(i)
}

func (a *attention) index() int {
	return slices.IndexFunc(a.list, func(w waiting) bool { return w.pane.ID == a.at })
}

// choose makes the ith the chosen one, or the nearest there is.
func (a *attention) choose(i int) {
	i = max(0, min(i, len(a.list)-1))
	a.row, a.at = i, ""
	if i < len(a.list) {
		a.at = a.list[i].pane.ID
	}
}

// Update moves the choice and deals with the chosen one.
func (a *attention) Update(msg tea.Msg) (overlay, func(*Model) tea.Cmd) {
	switch msg := msg.(type) {
	case keyMsg:
		return a.key(msg.key)
	case clickMsg:
		return a.click(msg)
	}
	return a, nil
}

func (a *attention) key(k keys.Key) (overlay, func(*Model) tea.Cmd) {
	r := letter(k)
	switch {
	case cancelKeys.has(k) || r == 'q':
		return nil, nil
	case upKeys.has(k) || r == 'k':
		a.choose(a.row - 1)
	case downKeys.has(k) || r == 'j':
		a.choose(a.row + 1)
	case pageUpKeys.has(k):
		a.choose(a.row - max(a.fits, 1))
	case pageDownKeys.has(k):
		a.choose(a.row + max(a.fits, 1))
	case a.at == "":
	case acceptKeys.has(k):
		id := a.at
		return nil, func(m *Model) tea.Cmd { m.show(id); return nil }
	case r == 'x':
		return a, dismiss(a.list[a.row].pane)
	case r == 's':
		return a, putOff(a.list[a.row])
	case needsInput(a.list[a.row].pane) && strings.ContainsRune("ayn", r):
		p := a.list[a.row].pane
		return a, writing(func(m *Model) tea.Cmd { return m.openAnswer(p) })
	case r == 'y' || r == 'n':
		return a, answer(a.list[a.row].pane, a.drawn[a.at], r == 'y')
	}
	return a, nil
}

// writing runs what a read-only client may not.
func writing(run func(*Model) tea.Cmd) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		if m.settings.ReadOnly {
			return m.notify("read-only client: this is not for it", true)
		}
		return run(m)
	}
}

// dismiss says that a result was seen or that a death is known. A question
// cannot be dismissed: the agent waits for its answer.
func dismiss(p Pane) func(*Model) tea.Cmd {
	return writing(func(m *Model) tea.Cmd {
		if asking(p) {
			return m.notify(p.Nick+" waits for you: s snoozes it, Enter goes there", true)
		}
		m.host.Do(Dismiss{Pane: p.ID})
		return nil
	})
}

// putOff snoozes a matter, or ends that.
func putOff(w waiting) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		if w.snoozed.IsZero() {
			m.snoozed[w.pane.ID] = snooze{matterOf(w.pane), m.now.Add(snoozeFor)}
		} else {
			delete(m.snoozed, w.pane.ID)
		}
		m.refreshAttention()
		return nil
	}
}

// answer decides on a gate, if it is still the one that was shown.
func answer(p Pane, drawn string, approve bool) func(*Model) tea.Cmd {
	return writing(func(m *Model) tea.Cmd {
		id := p.Status.Request.ID
		switch {
		case p.Status.State != lifecycle.Blocked || p.Status.Reason != lifecycle.Gate:
			return m.notify(p.Nick+" holds at no gate: Enter goes there", true)
		case id == "" || id != drawn:
			return m.notify("the request has changed: look again", true)
		}
		m.host.Do(Gate{Pane: p.ID, Request: id, Approve: approve})
		return nil
	})
}

// click goes to the agent under the mouse; the wheel moves the choice.
func (a *attention) click(msg clickMsg) (overlay, func(*Model) tea.Cmd) {
	r, mo := a.rect(msg.area), msg.mouse
	switch {
	case outside(msg, r):
		return nil, nil
	case mo.Button == keys.WheelUp:
		a.choose(a.row - 1)
	case mo.Button == keys.WheelDown:
		a.choose(a.row + 1)
	case pressed(mo):
		y := mo.Y - r.Y - 1
		if i := a.top + y/attentionHeight; y >= 0 && y < a.fits*attentionHeight && i < len(a.list) {
			id := a.list[i].pane.ID
			return nil, func(m *Model) tea.Cmd { m.show(id); return nil }
		}
	}
	return a, nil
}

// rect leaves a margin where there is room.
func (a *attention) rect(area layout.Rect) layout.Rect {
	h := max(len(a.list), 1)*attentionHeight + 3
	return centred(area, min(90, max(area.W-4, 18)), min(h, max(area.H-2, 5)))
}

// Draw draws two rows for each agent: who and since when, then what for.
func (a *attention) Draw(p pen, area layout.Rect) screen.Cursor {
	in := p.box(a.rect(area), "who needs you")
	if len(a.list) == 0 {
		p.text(in.X+1, in.Y, in.W-2, p.th.fit("nobody at the moment", in.W-2), lookFaint)
	}
	a.fits = max((in.H-1)/attentionHeight, 0)
	a.top = max(min(a.top, a.row, len(a.list)-a.fits), a.row-a.fits+1, 0)
	clear(a.drawn)
	for i := range a.fits {
		if j := a.top + i; j < len(a.list) {
			a.drawOne(p, layout.Rect{X: in.X, Y: in.Y + i*attentionHeight, W: in.W, H: attentionHeight}, a.list[j])
		}
	}
	above, below := " more above ", " more below "
	if in.W < 40 {
		above, below = "^", "v"
	}
	if a.top > 0 {
		p.right(in.X, in.Y-1, in.W-1, above, lookKey)
	}
	if a.top+a.fits < len(a.list) {
		p.right(in.X, in.Y+in.H, in.W-1, below, lookKey)
	}
	a.drawKeys(p, layout.Rect{X: in.X + 1, Y: in.Y + in.H - 1, W: in.W - 2, H: 1})
	return screen.Cursor{}
}

// drawOne draws one agent's rows in columns of fixed width.
func (a *attention) drawOne(p pen, r layout.Rect, one waiting) {
	q := one.pane
	glyph, word, l := p.th.state(q)
	if !one.snoozed.IsZero() {
		l = lookFaint
	}
	x, w := r.X+1, r.W-2
	when := age(q.Status.Since, a.now)
	if !one.snoozed.IsZero() {
		when = "snoozed " + age(a.now, one.snoozed)
	}
	if w > 34 || w > 25 && one.snoozed.IsZero() {
		w = p.right(x, r.Y, w, when, lookFaint) - 1
	}
	for _, col := range []struct {
		text string
		w    int
		look look
	}{
		{glyph, 2, l}, {q.Nick, min(10, w/3), lookBold}, {word, 13, l}, {agentName(q), 12, lookPlain},
		{placeOf(one), w, lookFaint},
	} {
		cols := min(col.w, w)
		p.text(x, r.Y, cols, p.th.fit(clean(col.text), cols-1), col.look)
		x, w = x+cols, w-cols
	}
	text := cmp.Or(doing(q), clean(q.Title), clean(q.Dir))
	p.text(r.X+3, r.Y+1, r.W-4, p.th.fit(text, r.W-4), lookPlain)
	a.drawn[q.ID] = q.Status.Request.ID
	if q.ID == a.at {
		for y := r.Y; y < min(r.Y+r.H, p.c.H); y++ {
			p.th.mark(markSelection, p.c.Row(y)[r.X:r.X+r.W])
		}
	}
}

// placeOf is where an agent works, and for whom.
func placeOf(w waiting) string {
	text := joinedBy(" ", w.pane.Project, w.pane.Branch)
	if w.session != "" {
		text = joinedBy(" ", "in session "+w.session, text)
	}
	if w.pane.For != "" {
		text = joinedBy(" ", "for "+w.pane.For, text)
	}
	return text
}

// drawKeys draws what can be done with the chosen one.
func (a *attention) drawKeys(p pen, r layout.Rect) {
	list := [][2]string{{"Esc", "close"}}
	if i := a.index(); i >= 0 {
		one := a.list[i]
		list = [][2]string{{"Enter", "go there"}}
		switch {
		case one.pane.Status.Reason == lifecycle.Gate && one.pane.Status.State == lifecycle.Blocked:
			list = append(list, [2]string{"y", "approve"}, [2]string{"n", "reject"})
		case needsInput(one.pane):
			list = append(list, [2]string{"a", "answer"})
		case !asking(one.pane):
			list = append(list, [2]string{"x", "dismiss"})
		}
		if one.snoozed.IsZero() {
			list = append(list, [2]string{"s", "snooze"})
		} else {
			list = append(list, [2]string{"s", "wake"})
		}
		list = append(list, [2]string{"Esc", "close"})
	}
	p.hints(r, list)
}

// Dims is true: the box has the keyboard.
func (a *attention) Dims() bool { return true }

// attentionEntries tells the help the keys of the list.
func attentionEntries() []entry {
	const g = "who needs you"
	return []entry{
		{keys: "Enter", help: "go to the agent", group: g},
		{keys: "a", help: "read what it asks, and answer", group: g},
		{keys: "y n", help: "approve or reject what holds it at a gate", group: g},
		{keys: "x", help: "dismiss a result that was seen, or a dead agent", group: g},
		{keys: "s", help: "snooze for ten minutes, and back", group: g},
	}
}
