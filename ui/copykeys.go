package ui

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
)

// copyKeys is one line of the table of copy mode's keys.
type copyKeys struct {
	set   keyset
	names string
	help  string
	run   func(*Model, extent, Screen) tea.Cmd
}

// copyTable is what keys do in copy mode; the help shows it too.
var copyTable = []copyKeys{
	by("Left", "h", "", func(c *copyMode, e extent) point { return point{c.at.x - 1, c.at.line} }),
	by("Down", "j", "", func(c *copyMode, e extent) point { return point{c.at.x, c.at.line + 1} }),
	by("Up", "k", "", func(c *copyMode, e extent) point { return point{c.at.x, c.at.line - 1} }),
	by("Right", "l", "", func(c *copyMode, e extent) point { return point{c.at.x + 1, c.at.line} }),
	by("Home", "0", "begin of the row", func(c *copyMode, e extent) point { return point{0, c.at.line} }),
	copyAction("End", "$", "end of the row", toRowEnd),
	copyAction("w", "", "next word", func(m *Model, e extent, s Screen) tea.Cmd { return m.word(1, e, s) }),
	copyAction("b", "", "word before", func(m *Model, e extent, s Screen) tea.Cmd { return m.word(-1, e, s) }),
	by("H", "", "top of the view", func(c *copyMode, e extent) point { return point{0, c.top} }),
	by("M", "", "middle of the view", func(c *copyMode, e extent) point { return point{0, c.top + e.rows/2} }),
	by("L", "", "bottom of the view", func(c *copyMode, e extent) point { return point{0, c.top + e.rows - 1} }),
	pageBy("C-u", "", "half a page up", -1, 2),
	pageBy("C-d", "", "half a page down", 1, 2),
	pageBy("PageUp", "C-b", "a page up", -1, 1),
	pageBy("PageDown", "C-f", "a page down", 1, 1),
	by("g", "", "top of the history", func(c *copyMode, e extent) point { return point{0, e.first} }),
	by("G", "", "bottom of the history", func(c *copyMode, e extent) point { return point{0, e.end - 1} }),
	copyAction("/", "", "search down", func(m *Model, e extent, _ Screen) tea.Cmd { m.copying.search.begin(1, m.copying.at); return nil }),
	copyAction("?", "", "search up", func(m *Model, e extent, _ Screen) tea.Cmd { m.copying.search.begin(-1, m.copying.at); return nil }),
	copyAction("n", "", "next match", func(m *Model, e extent, s Screen) tea.Cmd { return m.searchNext(1, e, s) }),
	copyAction("N", "", "match before", func(m *Model, e extent, s Screen) tea.Cmd { return m.searchNext(-1, e, s) }),
	copyAction("v", "Space", "begin or drop a selection", func(m *Model, _ extent, _ Screen) tea.Cmd { m.copying.toggle(false); return nil }),
	copyAction("V", "", "select whole rows", func(m *Model, _ extent, _ Screen) tea.Cmd { m.copying.toggle(true); return nil }),
	copyAction("y", "Enter", "copy the selection and leave", copySelection),
	copyAction("q", "Escape C-c", "leave", leaveOrDrop),
}

// copyAction is a line of the table with up to two keys.
func copyAction(key, other, help string, run func(*Model, extent, Screen) tea.Cmd) copyKeys {
	names := strings.Fields(key + " " + other)
	return copyKeys{set: keysOf(names...), names: strings.Join(names, " "), help: help, run: run}
}

// by is a key that moves the cursor.
func by(key, other, help string, to func(*copyMode, extent) point) copyKeys {
	return copyAction(key, other, help, func(m *Model, e extent, _ Screen) tea.Cmd {
		m.copying.move(to(m.copying, e), e)
		return nil
	})
}

// pageBy is a key that scrolls a part of a page.
func pageBy(key, other, help string, n, part int) copyKeys {
	return copyAction(key, other, help, func(m *Model, e extent, _ Screen) tea.Cmd {
		c, step := m.copying, n*max(e.rows/part, 1)
		to := c.at.line + step
		c.scroll(step, e)
		c.move(point{c.at.x, to}, e)
		return nil
	})
}

// copyEntries tells the help the keys of copy mode.
func copyEntries() []entry {
	const g = "copy mode"
	list := []entry{{keys: "arrows hjkl", help: "move the cursor", group: g}}
	for _, c := range copyTable {
		if c.help != "" {
			list = append(list, entry{keys: c.names, help: c.help, group: g})
		}
	}
	return list
}

// leaveOrDrop drops a selection first, then leaves.
func leaveOrDrop(m *Model, _ extent, _ Screen) tea.Cmd {
	if m.copying.anchor != nil {
		m.copying.anchor = nil
		return nil
	}
	m.leaveCopy()
	return nil
}

// toRowEnd goes to the last character, not to the edge of the pane.
func toRowEnd(m *Model, e extent, s Screen) tea.Cmd {
	c := m.copying
	c.move(point{len(rowCells(s, e, c.at.line)) - 1, c.at.line}, e)
	return nil
}

// word goes to the beginning of the next word, or of the one before.
func (m *Model) word(n int, e extent, s Screen) tea.Cmd {
	c := m.copying
	at := c.at
	row := rowCells(s, e, at.line)
	gap := func() bool { return at.x < 0 || at.x >= len(row) || blank(row[at.x]) }
	step := func() bool {
		at.x += n
		if at.x >= 0 && (at.x < len(row) || n < 0) {
			return true
		}
		if at.line += n; at.line < e.first || at.line >= e.end {
			return false
		}
		row = rowCells(s, e, at.line)
		at.x = 0
		if n < 0 {
			at.x = len(row) - 1
		}
		return true
	}
	if n < 0 {
		for ok := step(); ok && gap(); {
			ok = step()
		}
		for at.x > 0 && at.x-1 < len(row) && !blank(row[at.x-1]) {
			at.x--
		}
	} else {
		line := at.line
		for ok := true; ok && !gap() && at.line == line; {
			ok = step()
		}
		for ok := true; ok && gap(); {
			ok = step()
		}
	}
	c.move(at, e)
	return nil
}

// blank reports whether a cell separates words.
func blank(cell string) bool {
	for _, r := range cell {
		return unicode.IsSpace(r)
	}
	return false
}
