package screen

import "testing"

func TestColorsKeepTheirKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		color Color
		want  string
	}{{Default, ""}, {Palette(0), "0"}, {Palette(255), "255"}, {RGB(0, 0, 0), "#000000"}, {RGB(1, 2, 255), "#0102ff"}} {
		if got := c.color.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	if _, ok := RGB(0, 0, 7).Index(); ok {
		t.Error("an RGB colour reads as a palette entry")
	}
}

func TestCharsKnowTheirWidthAndText(t *testing.T) {
	t.Parallel()
	table := NewTable()
	flag := table.ClusterChar("🇩🇪", true)
	for _, c := range []struct {
		char  Char
		width int
		text  string
	}{{Blank, 1, " "}, {Tail, 0, ""}, {RuneChar('a', false), 1, "a"}, {RuneChar('世', true), 2, "世"},
		{flag, 2, "🇩🇪"}, {table.ClusterChar("é", false), 1, "é"}} {
		if c.char.Width() != c.width || table.Text(c.char) != c.text {
			t.Errorf("%q: width %d text %q", c.text, c.char.Width(), table.Text(c.char))
		}
	}
	if table.ClusterChar("🇩🇪", true) != flag {
		t.Error("a cluster was stored twice")
	}
}

func TestTranslatorKeepsMeaningAcrossTables(t *testing.T) {
	t.Parallel()
	from, to := NewTable(), NewTable()
	to.StyleID(Style{Attr: Italic})
	to.LinkID(Link{URI: "other:"})
	style := Style{Fg: RGB(1, 2, 3), Attr: Bold, Link: from.LinkID(Link{URI: "https://a.example", ID: "x"})}
	cell := Cell{Char: from.ClusterChar("👨‍👩‍👧", true), Style: from.StyleID(style)}
	var tr Translator
	tr.Bind(from, to)
	for range 2 {
		got := tr.Cell(cell)
		s := to.Style(got.Style)
		if to.Text(got.Char) != "👨‍👩‍👧" || !got.Char.Wide() || s.Attr != Bold || to.Link(s.Link).ID != "x" {
			t.Fatalf("got %+v %q", s, to.Text(got.Char))
		}
	}
	from.Reset()
	again := Cell{Style: from.StyleID(Style{Attr: Strike})}
	tr.Bind(from, to)
	if got := to.Style(tr.Cell(again).Style); got.Attr != Strike {
		t.Errorf("a cell of a new epoch was translated with the old one's ids: %+v", got)
	}
}
