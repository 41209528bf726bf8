package ui

import (
	"fmt"
	"strings"
)

// chip says, always in the same place, who gets the keys.
func (m *Model) chip() (string, look) {
	switch {
	case m.over != nil || m.prefix.on():
		return "DECK", lookChipDeck
	case m.copying != nil && !m.copying.passive:
		return "COPY", lookChipCopy
	case m.settings.ReadOnly:
		return "READ-ONLY", lookChipReadOnly
	}
	return "PANE", lookChipPane
}

// drawStatus draws the chip, then the most urgent of: an input, a notice, what
// was found, how the pane ended, the counts.
func (m *Model) drawStatus(p pen) {
	r := m.geo.status
	if r.Empty() {
		return
	}
	p.fill(r, lookStatus)
	text, l := m.chip()
	x := r.X + p.text(r.X, r.Y, r.W, " "+text+" ", l) + 1
	if m.copying != nil && m.copying.drawPrompt(p, x, r.Y, r.W-x) {
		return
	}
	w := r.W - x
	if w > 30 {
		w = p.right(x, r.Y, w, m.hint()+" ", lookStatus) - 1
	}
	if m.notice.text != "" {
		text, l := m.notice.text, lookNotice
		if m.notice.bad {
			text, l = "! "+text, lookError
		}
		p.text(x, r.Y, w, p.th.fit(text, w), l)
		return
	}
	if m.copying != nil && m.copying.found() != "" {
		p.text(x, r.Y, w, p.th.fit(m.copying.found(), w), lookNotice)
		return
	}
	if pane, ok := m.focused(); ok && pane.Ended {
		p.text(x, r.Y, w, p.th.fit(m.endedText(pane), w), lookEnded)
		return
	}
	// The folded list counts already.
	if n := 0; m.geo.summary.Empty() {
		if n = m.drawTally(p, x, r.Y, w); n > 0 {
			x, w = x+n+1, w-n-1
		}
	}
	p.text(x, r.Y, w, p.th.fit(m.counts(), w), lookStatus)
}

// hint is the key that helps on from here.
func (m *Model) hint() string {
	switch {
	case m.prefix.on():
		return m.bindings.prefixName + " " + m.frame.theme.glyphs.cut
	case m.copying != nil && !m.copying.passive:
		return "v select  y copy  / search  q leave"
	}
	return m.bindings.prefixName + " " + m.bindings.keyOf("help") + " help"
}

// counts names the session and how much is in it; without a bar of tabs also
// which one this is.
func (m *Model) counts() string {
	s := m.state
	parts := []string{s.Session}
	if m.geo.tabs.Empty() && len(s.Tabs) > 1 {
		for i, t := range s.Tabs {
			if t.ID == m.where.tab() {
				parts = append(parts, fmt.Sprintf("%d/%d", i+1, len(s.Tabs)))
			}
		}
	}
	parts = append(parts, plural(len(s.Tabs), "tab")+" "+plural(len(s.Panes), "pane"))
	if s.Clients > 1 {
		parts = append(parts, plural(s.Clients, "client"))
	}
	return strings.Join(parts, "  ")
}

// endedText says how a pane ended and what can be done about it.
func (m *Model) endedText(p Pane) string {
	k := m.bindings
	return fmt.Sprintf("%s ended (%s): %s %s restart, %s %s close", p.Nick, p.Exit,
		k.prefixName, k.keyOf("restart"), k.prefixName, k.keyOf("close"))
}
