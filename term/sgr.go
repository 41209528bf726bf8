package term

import (
	"strconv"
	"strings"

	"deck/term/screen"
)

// styledRow returns a row with SGR sequences, ending in the plain style.
// Trailing cells that look like nothing are left out.
func styledRow(t *screen.Table, cells []screen.Cell) string {
	end := len(cells)
	for end > 0 && cells[end-1].Style == 0 && t.Text(cells[end-1].Char) == " " {
		end--
	}
	var b strings.Builder
	var pen screen.StyleID
	for _, c := range cells[:end] {
		if c.Style != pen {
			pen = c.Style
			b.WriteString(sgr(t.Style(pen)))
		}
		b.WriteString(t.Text(c.Char))
	}
	if pen != 0 {
		b.WriteString("\x1b[m")
	}
	return b.String()
}

// attrCodes are the SGR numbers of the attributes, in the order of their bits.
var attrCodes = []int{1, 2, 3, 5, 6, 7, 8, 9, 53}

// sgr returns the sequence that sets a style, whatever was set before.
func sgr(s screen.Style) string {
	codes := []string{"0"}
	for i, code := range attrCodes {
		if s.Attr&(1<<i) != 0 {
			codes = append(codes, strconv.Itoa(code))
		}
	}
	switch s.Underline {
	case screen.NoUnderline:
	case screen.SingleUnderline:
		codes = append(codes, "4")
	default:
		codes = append(codes, "4:"+strconv.Itoa(int(s.Underline)))
	}
	codes = appendColor(codes, s.Fg, 30)
	codes = appendColor(codes, s.Bg, 40)
	codes = appendColor(codes, s.UnderlineColor, 50)
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

// appendColor adds a colour; base is 30, 40 or 50 for the underline's, which
// has no short forms.
func appendColor(codes []string, c screen.Color, base int) []string {
	if n, ok := c.Index(); ok {
		switch i := int(n); {
		case i < 8 && base != 50:
			return append(codes, strconv.Itoa(base+i))
		case i < 16 && base != 50:
			return append(codes, strconv.Itoa(base+60+i-8))
		default:
			return append(codes, strconv.Itoa(base+8)+";5;"+strconv.Itoa(i))
		}
	}
	if r, g, b, ok := c.RGB(); ok {
		return append(codes, strconv.Itoa(base+8)+";2;"+strconv.Itoa(int(r))+";"+strconv.Itoa(int(g))+";"+strconv.Itoa(int(b)))
	}
	return codes
}
