package layout

// Place is where a pane lies.
type Place struct {
	Pane PaneID
	Rect Rect
}

// Border is the line between two neighbours of a split: one column wide for
// Right, and for Down without extent of its own, being the title row of the
// pane below.
type Border struct {
	Dir    Dir
	Rect   Rect
	Before PaneID // a pane that ends at this line
	After  PaneID // a pane that starts behind it
}

// Arrange lays the tree out over area. Side by side neighbours have one column
// between them; panes below each other have nothing, since each draws a title
// row of its own at its top. Where the space does not suffice for all, the
// last ones get empty rectangles. The rectangles and the columns between them
// tile the area exactly.
func (n Node) Arrange(area Rect) []Place {
	var places []Place
	n.walk(area, func(p Place) { places = append(places, p) }, nil)
	return places
}

// Borders returns the lines between neighbours for the same area.
func (n Node) Borders(area Rect) []Border {
	var borders []Border
	n.walk(area, nil, func(b Border) { borders = append(borders, b) })
	return borders
}

func (n Node) walk(area Rect, pane func(Place), border func(Border)) {
	if n.IsLeaf() {
		if n.Pane != "" && pane != nil {
			pane(Place{Pane: n.Pane, Rect: area})
		}
		return
	}
	sizes := n.sizes(area)
	at := area
	for i, c := range n.Children {
		if n.Dir == Right {
			at.W = sizes[i]
		} else {
			at.H = sizes[i]
		}
		c.walk(at, pane, border)
		if i == len(n.Children)-1 {
			return
		}
		at = n.next(at, i, area, border)
	}
}

// next moves past child i and the line behind it.
func (n Node) next(at Rect, i int, area Rect, border func(Border)) Rect {
	line := Rect{X: at.X, Y: at.Y + at.H, W: at.W, H: 1}
	if n.Dir == Right {
		end := area.X + area.W
		line = Rect{X: at.X + at.W, Y: at.Y, W: min(1, end-at.X-at.W), H: at.H}
		at.X = min(at.X+at.W+1, end)
	} else {
		at.Y += at.H
	}
	if border != nil {
		before, after := n.Children[i].Panes(), n.Children[i+1].Panes()
		border(Border{Dir: n.Dir, Rect: line, Before: before[len(before)-1], After: after[0]})
	}
	return at
}

// sizes divides the extent of area among the children by weight, each at least
// one cell while there are cells.
func (n Node) sizes(area Rect) []int {
	space := area.H
	if n.Dir == Right {
		space = area.W - (len(n.Children) - 1)
	}
	space = max(space, 0)
	total := 0
	for _, w := range n.Weights {
		total += w
	}
	sizes := make([]int, len(n.Children))
	left, weights := space, total
	for i, w := range n.Weights {
		rest := len(n.Children) - 1 - i
		size := (left*w + weights/2) / max(weights, 1)
		size = max(min(size, left-rest), min(1, left))
		if rest == 0 {
			size = left
		}
		sizes[i] = size
		left -= size
		weights -= w
	}
	return sizes
}

// Neighbor returns the pane that touches p on the given side of area, the one
// nearest to the height or column of p's upper left corner, and false at the
// edge.
func (n Node) Neighbor(area Rect, p PaneID, side Side) (PaneID, bool) {
	places := n.Arrange(area)
	var from Rect
	for _, q := range places {
		if q.Pane == p {
			from = q.Rect
		}
	}
	best, found := Place{}, false
	for _, q := range places {
		if q.Pane == p || !touches(from, q.Rect, side) {
			continue
		}
		if !found || nearer(from, q.Rect, best.Rect, side) {
			best, found = q, true
		}
	}
	return best.Pane, found
}

func touches(a, b Rect, side Side) bool {
	overlapY := a.Y < b.Y+b.H && b.Y < a.Y+a.H
	overlapX := a.X < b.X+b.W && b.X < a.X+a.W
	switch side {
	case Left:
		return overlapY && b.X+b.W+1 == a.X
	case RightSide:
		return overlapY && a.X+a.W+1 == b.X
	case Up:
		return overlapX && b.Y+b.H == a.Y
	}
	return overlapX && a.Y+a.H == b.Y
}

func nearer(from, a, b Rect, side Side) bool {
	if side == Left || side == RightSide {
		return abs(a.Y-from.Y) < abs(b.Y-from.Y)
	}
	return abs(a.X-from.X) < abs(b.X-from.X)
}

func abs(n int) int { return max(n, -n) }

// Resize moves the border of p on the given side by n cells as they are in
// area: to the right or down for positive n. The nearest split around p in
// that direction gives and takes; without one the tree is returned as it was.
func (n Node) Resize(area Rect, p PaneID, side Side, cells int) Node {
	out, _ := n.resize(area, p, side, cells)
	return out
}

func (n Node) resize(area Rect, p PaneID, side Side, cells int) (Node, bool) {
	if n.IsLeaf() {
		return n, false
	}
	sizes := n.sizes(area)
	at := area
	for i, c := range n.Children {
		if n.Dir == Right {
			at.W = sizes[i]
		} else {
			at.H = sizes[i]
		}
		if c.Has(p) {
			if inner, ok := c.resize(at, p, side, cells); ok {
				out := n.clone()
				out.Children[i] = inner
				return out, true
			}
			return n.move(sizes, i, side, cells)
		}
		at = n.next(at, i, area, nil)
	}
	return n, false
}

// move shifts the line before or behind child i; the new weights are sizes in
// cells.
func (n Node) move(sizes []int, i int, side Side, cells int) (Node, bool) {
	if (side == Left || side == RightSide) != (n.Dir == Right) {
		return n, false
	}
	if side == Left || side == Up {
		i--
	}
	if i < 0 || i+1 >= len(sizes) {
		return n, false
	}
	cells = max(cells, 1-sizes[i])
	cells = min(cells, sizes[i+1]-1)
	out := n.clone()
	sizes[i] += cells
	sizes[i+1] -= cells
	for j := range sizes {
		out.Weights[j] = max(sizes[j], 1) * weight
	}
	return out, true
}
