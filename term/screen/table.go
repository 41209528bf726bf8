package screen

import (
	"iter"
	"slices"
	"unicode/utf8"
)

// Table interns what is too big for a cell: styles, grapheme clusters and
// links. One goroutine at a time may use it; its owner's lock guards it.
type Table struct {
	styles     []Style
	styleIDs   map[Style]StyleID
	clusters   []string
	clusterIDs map[string]uint32
	links      []Link
	linkIDs    map[Link]LinkID
	epoch      uint64
}

// NewTable returns a table that holds the plain style as id 0.
func NewTable() *Table {
	t := &Table{}
	t.Reset()
	return t
}

// Reset forgets everything but the plain style and starts a new epoch.
func (t *Table) Reset() {
	if t.styleIDs == nil {
		t.styleIDs = map[Style]StyleID{}
		t.clusterIDs = map[string]uint32{}
		t.linkIDs = map[Link]LinkID{}
	}
	clear(t.styleIDs)
	clear(t.clusterIDs)
	clear(t.linkIDs)
	t.styles = append(t.styles[:0], Style{})
	t.styleIDs[Style{}] = 0
	t.clusters = t.clusters[:0]
	t.links = append(t.links[:0], Link{})
	t.linkIDs[Link{}] = 0
	t.epoch++
}

// Epoch changes whenever ids were given a new meaning; what was cached by id
// under another epoch is void.
func (t *Table) Epoch() uint64 { return t.epoch }

// Len returns how many styles, clusters and links the table holds: what its
// owner looks at to decide on a sweep.
func (t *Table) Len() (styles, clusters, links int) {
	return len(t.styles), len(t.clusters), len(t.links)
}

// StyleID returns the id of s, adding it where it is new.
func (t *Table) StyleID(s Style) StyleID {
	id, ok := t.styleIDs[s]
	if !ok {
		id = StyleID(len(t.styles))
		t.styles = append(t.styles, s)
		t.styleIDs[s] = id
	}
	return id
}

// Style returns the style of id; an unknown id reads as the plain style.
func (t *Table) Style(id StyleID) Style {
	if int(id) < len(t.styles) {
		return t.styles[id]
	}
	return Style{}
}

// LinkID returns the id of l, adding it where it is new.
func (t *Table) LinkID(l Link) LinkID {
	id, ok := t.linkIDs[l]
	if !ok {
		id = LinkID(len(t.links))
		t.links = append(t.links, l)
		t.linkIDs[l] = id
	}
	return id
}

// Link returns the link of id; an unknown id reads as no link.
func (t *Table) Link(id LinkID) Link {
	if int(id) < len(t.links) {
		return t.links[id]
	}
	return Link{}
}

// ClusterChar returns the Char of a cluster of several runes.
func (t *Table) ClusterChar(s string, wide bool) Char {
	id, ok := t.clusterIDs[s]
	if !ok {
		id = uint32(len(t.clusters))
		t.clusters = append(t.clusters, s)
		t.clusterIDs[s] = id
	}
	c := clusterBit | Char(id)&indexMask
	if wide {
		c |= wideBit
	}
	return c
}

// ClusterBytes is ClusterChar for text in a buffer; it allocates only where
// the cluster is new.
func (t *Table) ClusterBytes(b []byte, wide bool) Char {
	if id, ok := t.clusterIDs[string(b)]; ok {
		c := clusterBit | Char(id)&indexMask
		if wide {
			c |= wideBit
		}
		return c
	}
	return t.ClusterChar(string(b), wide)
}

// TextChar returns the Char of text that is one rune or a cluster.
func (t *Table) TextChar(b []byte, wide bool) Char {
	if r, n := utf8.DecodeRune(b); n == len(b) {
		return RuneChar(r, wide)
	}
	return t.ClusterBytes(b, wide)
}

// Sweep forgets everything that the given cells do not use, gives the rest new
// ids, which it writes into the cells, and starts a new epoch.
func (t *Table) Sweep(rows iter.Seq[[]Cell]) {
	old := Table{styles: slices.Clone(t.styles), clusters: slices.Clone(t.clusters), links: slices.Clone(t.links)}
	t.Reset()
	var tr Translator
	tr.Bind(&old, t)
	for cells := range rows {
		for i, c := range cells {
			if c.Style != 0 || c.Char&clusterBit != 0 {
				cells[i] = tr.Cell(c)
			}
		}
	}
}

// Text returns the text of c: " " for a blank, "" for a tail.
func (t *Table) Text(c Char) string {
	if i, ok := c.Cluster(); ok {
		if int(i) < len(t.clusters) {
			return t.clusters[i]
		}
		return "\ufffd"
	}
	if r, ok := c.Rune(); ok {
		return string(r)
	}
	if c == Tail {
		return ""
	}
	return " "
}
