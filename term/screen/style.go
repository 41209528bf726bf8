package screen

// Attr is a set of SGR attributes.
type Attr uint16

// The attributes of SGR 1–9 and 53, and DECSCA's protection (which selective
// erase honours and nothing draws).
const (
	Bold Attr = 1 << iota
	Faint
	Italic
	Blink
	RapidBlink
	Reverse
	Hidden
	Strike
	Overline
	Protected
)

// Underline is the style of an underline, numbered as in SGR 4:n.
type Underline uint8

// The underline styles of SGR 4:0 to 4:5.
const (
	NoUnderline Underline = iota
	SingleUnderline
	DoubleUnderline
	CurlyUnderline
	DottedUnderline
	DashedUnderline
)

// Style is everything about a cell but its text. It is comparable and is
// stored once per Table; Link refers to the same Table.
type Style struct {
	Fg, Bg, UnderlineColor Color
	Link                   LinkID
	Attr                   Attr
	Underline              Underline
}

// StyleID names a Style in a Table; 0 is the plain style.
type StyleID uint32

// LinkID names a Link in a Table; 0 is none.
type LinkID uint32

// Link is an OSC 8 hyperlink: its target and its optional id parameter.
type Link struct{ URI, ID string }
