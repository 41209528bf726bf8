package ui

import (
	"slices"
	"strings"

	"deck/lifecycle"
	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"
	"deck/ui/paint"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

// helpBox shows all keys, to scroll through.
type helpBox struct {
	title string
	view  viewport.Model
	parts [2][]entry // after the prefix key; elsewhere
	width int        // that the content was made for

	shown  string // the part in view, as rendered for at
	at     layout.Rect
	offset int
}

// help opens the list of all keys, configured ones as they are.
func help(m *Model) tea.Cmd {
	h := &helpBox{title: "keys after " + m.bindings.prefixName + ", and others", view: viewport.New()}
	h.parts[0] = m.bindings.entries()
	h.parts[1] = slices.Concat(attentionEntries(), answerEntries(), launcherEntries(), formEntries(), memoryEntries(), copyEntries(), mouseEntries(), m.frame.theme.signEntries())
	m.open(h)
	return nil
}

// signEntries explains the signs.
func (t *theme) signEntries() []entry {
	const g = "signs"
	list := []entry{}
	for _, s := range needOrder {
		list = append(list, entry{keys: t.glyphs.states[s], help: stateHelp[s], group: g})
	}
	return append(list,
		entry{keys: t.glyphs.running, help: "a shell, or another program", group: g},
		entry{keys: markBackground, help: "helpers or tasks run beside the turn", group: g},
		entry{keys: markStale, help: "nothing newer is known", group: g},
		entry{keys: t.glyphs.bell, help: "not looked at: a result, or it rang", group: g},
		entry{keys: t.glyphs.heavy.horizontal + t.glyphs.heavy.vertical, help: "the pane that has the keys", group: g},
		entry{keys: "*", help: "the tab you see", group: g})
}

var stateHelp = map[lifecycle.State]string{
	lifecycle.NeedsInput: "needs-input: a dialog waits for your keys",
	lifecycle.Blocked:    "blocked: a gate, a limit or an error holds it",
	lifecycle.Done:       "done: its turn ended, and nobody looked yet",
	lifecycle.Dead:       "dead: its process is gone",
	lifecycle.Working:    "working",
	lifecycle.Idle:       "idle: it waits for a prompt",
	lifecycle.Unknown:    "unknown: an agent that nothing is known of",
}

// Update scrolls; Escape, q, ? and Enter close.
func (h *helpBox) Update(msg tea.Msg) (overlay, func(*Model) tea.Cmd) {
	switch msg := msg.(type) {
	case keyMsg:
		r := letter(msg.key)
		if cancelKeys.has(msg.key) || acceptKeys.has(msg.key) || r == 'q' || r == '?' {
			return nil, nil
		}
		switch r {
		case 'g':
			h.view.GotoTop()
		case 'G':
			h.view.GotoBottom()
		default:
			h.view, _ = h.view.Update(teaKey(msg.key))
		}
	case clickMsg:
		switch {
		case outside(msg, h.rect(msg.area)):
			return nil, nil
		case msg.mouse.Button == keys.WheelUp:
			h.view.ScrollUp(wheelRows)
		case msg.mouse.Button == keys.WheelDown:
			h.view.ScrollDown(wheelRows)
		}
	}
	return h, nil
}

// rect is wide enough for both parts side by side where the screen is.
func (h *helpBox) rect(area layout.Rect) layout.Rect {
	w := 66
	if area.W >= 120 {
		w = 118
	}
	// No taller than its content, with a row of the screen left above.
	n := max(h.lines(w-4), 1)
	return centred(area, min(w, area.W), min(n+2, max(area.H-1, 3)))
}

// lines is the height of the whole content at a width.
func (h *helpBox) lines(w int) int {
	a, b := rowsOf(h.parts[0]), rowsOf(h.parts[1])
	if w > 100 {
		return max(a, b)
	}
	return a + b + 1
}

// rowsOf counts the rows of entries with their headings and the blank rows
// between groups.
func rowsOf(list []entry) int {
	n, group := 0, ""
	for _, e := range list {
		if e.group != group {
			if group != "" {
				n++
			}
			n, group = n+1, e.group
		}
		n++
	}
	return n
}

// Draw draws the part of the list that is scrolled to.
func (h *helpBox) Draw(p pen, area layout.Rect) screen.Cursor {
	in := p.box(h.rect(area), h.title)
	w := max(in.W-2, 1)
	if h.width != w {
		h.width = w
		h.view.SetContent(h.content(p.th, w))
	}
	if h.shown == "" || h.at != in || h.offset != h.view.YOffset() {
		h.view.SetWidth(w)
		h.view.SetHeight(max(in.H, 0))
		h.view.SetYOffset(h.view.YOffset())
		h.shown, h.at, h.offset = h.view.View(), in, h.view.YOffset()
	}
	paint.DrawBlock(p.c, in.X+1, in.Y, w, in.H, h.shown)
	if !h.view.AtBottom() {
		p.right(in.X, in.Y+in.H, in.W-1, " more below ", lookKey)
	}
	if !h.view.AtTop() {
		p.right(in.X, in.Y-1, in.W-1, " more above ", lookKey)
	}
	return screen.Cursor{}
}

// content renders both parts, beside or below each other.
func (h *helpBox) content(t *theme, w int) string {
	if w > 100 {
		half := w / 2
		return lipgloss.JoinHorizontal(lipgloss.Top, t.list(h.parts[0], half-1), "  ", t.list(h.parts[1], half-1))
	}
	return t.list(h.parts[0], w) + "\n\n" + t.list(h.parts[1], w)
}

// list renders entries under the headings of their groups.
func (t *theme) list(list []entry, w int) string {
	keysW := 0
	for _, e := range list {
		keysW = max(keysW, paint.Width(e.keys))
	}
	keysW = min(keysW, w/2)
	key := t.styles[lookKey].Width(keysW + 2)
	var rows []string
	group := ""
	for _, e := range list {
		if e.group != group {
			if group != "" {
				rows = append(rows, "")
			}
			group = e.group
			rows = append(rows, t.styles[lookHeading].Render(group))
		}
		rows = append(rows, key.Render(t.fit(e.keys, keysW))+t.styles[lookPlain].Render(t.fit(e.help, max(w-keysW-2, 1))))
	}
	return strings.Join(rows, "\n")
}

// Dims is true: the box has the keyboard.
func (h *helpBox) Dims() bool { return true }
