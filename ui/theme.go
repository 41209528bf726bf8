package ui

import (
	"image/color"

	"deck/term/screen"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// look names a style of the chrome.
type look uint8

const (
	lookPlain look = iota
	lookFaint
	lookBold
	lookTitle // the title row of a pane without the focus
	lookTitleFocused
	lookLine
	lookLineFocused
	lookEnded
	lookTab
	lookTabCurrent
	lookStatus
	lookChipPane
	lookChipDeck
	lookChipCopy
	lookChipReadOnly
	lookNotice
	lookError
	lookBox
	lookBoxTitle
	lookKey
	lookHeading
	lookSelected
	lookRunning
	lookWorking
	lookNeedsInput
	lookIdle
	lookBlocked
	lookDone
	lookDead
	lookUnknown
	lookBell
	lookNumber
	lookNumberFocused
	looks
)

// theme is how the chrome looks: styles, resolved to the ids of the canvas's
// table, and glyphs. Its colours are the 16 that every terminal's user has
// chosen for themselves.
type theme struct {
	styles [looks]lipgloss.Style
	glyphs *glyphs
	marks  [marks]marking

	table *screen.Table
	epoch uint64
	ids   [looks]screen.StyleID
	cache [marks][]screen.StyleID // by id, plus one; 0 is unknown
}

// newTheme returns the looks for what a terminal can show.
func newTheme(noColor, ascii bool) *theme {
	t := &theme{glyphs: &unicodeGlyphs, marks: colourMarks}
	if ascii {
		t.glyphs = &asciiGlyphs
	}
	s := lipgloss.NewStyle()
	black := lipgloss.Black
	t.styles = [looks]lipgloss.Style{
		lookPlain:         s,
		lookFaint:         s.Faint(true),
		lookBold:          s.Bold(true),
		lookTitle:         s.Faint(true),
		lookTitleFocused:  s.Bold(true).Foreground(lipgloss.Cyan),
		lookLine:          s.Faint(true),
		lookLineFocused:   s.Foreground(lipgloss.Cyan),
		lookEnded:         s.Foreground(lipgloss.Red),
		lookTab:           s.Faint(true),
		lookTabCurrent:    s.Bold(true).Reverse(true),
		lookStatus:        s.Faint(true),
		lookChipPane:      s.Bold(true).Foreground(black).Background(lipgloss.Green),
		lookChipDeck:      s.Bold(true).Foreground(black).Background(lipgloss.Yellow),
		lookChipCopy:      s.Bold(true).Foreground(black).Background(lipgloss.Cyan),
		lookChipReadOnly:  s.Bold(true).Foreground(black).Background(lipgloss.Magenta),
		lookNotice:        s.Bold(true),
		lookError:         s.Bold(true).Foreground(lipgloss.Red),
		lookBox:           s.Foreground(lipgloss.Cyan),
		lookBoxTitle:      s.Bold(true),
		lookKey:           s.Bold(true).Foreground(lipgloss.Cyan),
		lookHeading:       s.Bold(true).Underline(true),
		lookSelected:      s.Reverse(true),
		lookRunning:       s,
		lookWorking:       s.Foreground(lipgloss.Green),
		lookNeedsInput:    s.Bold(true).Foreground(lipgloss.Yellow),
		lookIdle:          s.Foreground(lipgloss.Blue),
		lookBlocked:       s.Bold(true).Foreground(lipgloss.Magenta),
		lookDone:          s.Foreground(lipgloss.Green),
		lookDead:          s.Foreground(lipgloss.Red),
		lookUnknown:       s.Faint(true),
		lookBell:          s.Bold(true).Foreground(lipgloss.Yellow),
		lookNumber:        s.Bold(true).Reverse(true),
		lookNumberFocused: s.Bold(true).Foreground(black).Background(lipgloss.Cyan),
	}
	if noColor {
		t.withoutColour()
	}
	return t
}

// withoutColour leaves what attributes can say; what stood on a coloured
// ground is reversed.
func (t *theme) withoutColour() {
	for i, s := range t.styles {
		_, plain := s.GetBackground().(lipgloss.NoColor)
		s = s.UnsetForeground().UnsetBackground()
		if !plain {
			s = s.Reverse(true)
		}
		t.styles[i] = s
	}
	t.marks = plainMarks
}

// bind resolves the styles for a table, again whenever its ids changed.
func (t *theme) bind(table *screen.Table) bool {
	if t.table == table && t.epoch == table.Epoch() {
		return false
	}
	t.table, t.epoch = table, table.Epoch()
	for i, s := range t.styles {
		t.ids[i] = table.StyleID(cellStyle(s))
	}
	for i := range t.cache {
		t.cache[i] = t.cache[i][:0]
	}
	return true
}

// id is a look's style in the table that bind was given.
func (t *theme) id(l look) screen.StyleID { return t.ids[l] }

// cellStyle says in cell terms what a lipgloss style looks like.
func cellStyle(s lipgloss.Style) screen.Style {
	out := screen.Style{Fg: cellColour(s.GetForeground()), Bg: cellColour(s.GetBackground())}
	for _, a := range []struct {
		on   bool
		attr screen.Attr
	}{
		{s.GetBold(), screen.Bold}, {s.GetFaint(), screen.Faint},
		{s.GetItalic(), screen.Italic}, {s.GetReverse(), screen.Reverse},
	} {
		if a.on {
			out.Attr |= a.attr
		}
	}
	if s.GetUnderline() {
		out.Underline = screen.SingleUnderline
	}
	return out
}

// cellColour knows the 16 colours of the theme; all else is the default.
func cellColour(c color.Color) screen.Color {
	if b, ok := c.(ansi.BasicColor); ok {
		return screen.Palette(uint8(b))
	}
	return screen.Default
}
