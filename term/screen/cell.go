package screen

// Char is the text of one cell in four bytes: nothing, a rune, a grapheme
// cluster of a Table, or the right half of a wide character.
type Char uint32

const (
	clusterBit Char = 1 << 31
	wideBit    Char = 1 << 30
	indexMask  Char = 1<<24 - 1
)

const (
	// Blank is a cell that was never written or was erased. It looks like a
	// space and is not one: it is trimmed when a row is copied or reflowed.
	Blank Char = 0
	// Tail is the right half of a wide character; its style is the lead's.
	Tail Char = 1 << 29
)

// RuneChar returns the Char of a single rune that takes one column, or two
// where wide is set.
func RuneChar(r rune, wide bool) Char {
	if wide {
		return Char(r) | wideBit
	}
	return Char(r)
}

// Wide reports whether c is the left half of a two-column character.
func (c Char) Wide() bool { return c&wideBit != 0 }

// WithWidth returns c as the left half of a character of w columns, 1 or 2.
func (c Char) WithWidth(w int) Char {
	if w == 2 {
		return c | wideBit
	}
	return c &^ wideBit
}

// Rune returns the rune of c, and false where c is a cluster, a tail or blank.
func (c Char) Rune() (rune, bool) {
	if c&(clusterBit|Tail) != 0 || c == Blank {
		return 0, false
	}
	return rune(c & indexMask), true
}

// Cluster returns the index of c's cluster in its Table, and false where c is
// not a cluster.
func (c Char) Cluster() (uint32, bool) { return uint32(c & indexMask), c&clusterBit != 0 }

// Width returns the columns c takes: 0 for a tail, else 1 or 2.
func (c Char) Width() int {
	switch {
	case c == Tail:
		return 0
	case c.Wide():
		return 2
	}
	return 1
}

// Cell is one column of one row in eight bytes. Its ids refer to the Table of
// the canvas or emulator it came from.
type Cell struct {
	Char  Char
	Style StyleID
}
