// Package layout divides a rectangle among panes. It exists apart from the
// server and the client because both must agree on it: the server keeps the
// tree, each client lays the same tree out over its own size. Trees are
// immutable values; every change returns a new one.
package layout

// PaneID names a pane for as long as the server lives; it is opaque.
type PaneID string

// Rect is a rectangle of character cells; X and Y count from 0.
type Rect struct{ X, Y, W, H int }

// Contains reports whether the cell x,y lies in r.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && y >= r.Y && x < r.X+r.W && y < r.Y+r.H
}

// Empty reports whether r has no cell.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Dir is the direction in which a split puts its children.
type Dir uint8

// Right puts children side by side, Down one below the other.
const (
	Right Dir = iota
	Down
)

// Side is a direction on the screen.
type Side uint8

// The four sides.
const (
	Left Side = iota
	RightSide
	Up
	DownSide
)

// Node is a pane (Children empty) or a split of at least two children with a
// weight each. A child of a split never splits in its parent's direction.
type Node struct {
	Pane     PaneID
	Dir      Dir
	Children []Node
	Weights  []int
}

// Leaf returns the tree of a single pane.
func Leaf(p PaneID) Node { return Node{Pane: p} }

// IsLeaf reports whether n is a pane.
func (n Node) IsLeaf() bool { return len(n.Children) == 0 }

// Panes returns the panes in reading order.
func (n Node) Panes() []PaneID {
	if n.IsLeaf() {
		if n.Pane == "" {
			return nil
		}
		return []PaneID{n.Pane}
	}
	var all []PaneID
	for _, c := range n.Children {
		all = append(all, c.Panes()...)
	}
	return all
}

// Has reports whether p is in the tree.
func (n Node) Has(p PaneID) bool {
	for _, q := range n.Panes() {
		if p == q {
			return true
		}
	}
	return false
}

const weight = 1000

// Split puts p beside at (Right) or below it (Down), each with half the space
// that at had. The tree is returned as it was where at is not in it.
func (n Node) Split(at PaneID, d Dir, p PaneID) Node {
	if n.IsLeaf() {
		if n.Pane != at {
			return n
		}
		return Node{Dir: d, Children: []Node{n, Leaf(p)}, Weights: []int{weight, weight}}
	}
	out := n.clone()
	for i, c := range n.Children {
		if !c.Has(at) {
			continue
		}
		if c.IsLeaf() && n.Dir == d {
			return out.insert(i, p)
		}
		out.Children[i] = c.Split(at, d, p)
	}
	return out
}

// insert puts p after child i of a split, taking half of that child's weight.
func (n Node) insert(i int, p PaneID) Node {
	half := max(n.Weights[i]/2, 1)
	out := Node{Dir: n.Dir}
	for j, c := range n.Children {
		out.Children = append(out.Children, c)
		out.Weights = append(out.Weights, n.Weights[j])
		if j == i {
			out.Weights[len(out.Weights)-1] = max(n.Weights[i]-half, 1)
			out.Children = append(out.Children, Leaf(p))
			out.Weights = append(out.Weights, half)
		}
	}
	return out
}

// Remove takes p out; its neighbours in the same split get its space. The
// result is the zero Node when p was the only pane.
func (n Node) Remove(p PaneID) Node {
	if n.IsLeaf() {
		if n.Pane == p {
			return Node{}
		}
		return n
	}
	out := Node{Dir: n.Dir}
	for i, c := range n.Children {
		c = c.Remove(p)
		if c.IsLeaf() && c.Pane == "" {
			continue
		}
		out.add(c, n.Weights[i])
	}
	if len(out.Children) == 1 {
		return out.Children[0]
	}
	return out
}

// add appends a child, merging one that splits in the same direction.
func (n *Node) add(c Node, w int) {
	if c.IsLeaf() || c.Dir != n.Dir {
		n.Children = append(n.Children, c)
		n.Weights = append(n.Weights, w)
		return
	}
	total := 0
	for _, cw := range c.Weights {
		total += cw
	}
	for i, g := range c.Children {
		n.Children = append(n.Children, g)
		n.Weights = append(n.Weights, max(1, w*c.Weights[i]/max(total, 1)))
	}
}

// Swap exchanges the places of two panes.
func (n Node) Swap(a, b PaneID) Node {
	if n.IsLeaf() {
		switch n.Pane {
		case a:
			n.Pane = b
		case b:
			n.Pane = a
		}
		return n
	}
	out := n.clone()
	for i, c := range n.Children {
		out.Children[i] = c.Swap(a, b)
	}
	return out
}

// Even gives every child of every split the same weight.
func (n Node) Even() Node {
	out := n.clone()
	for i, c := range n.Children {
		out.Children[i], out.Weights[i] = c.Even(), weight
	}
	return out
}

func (n Node) clone() Node {
	n.Children = append([]Node(nil), n.Children...)
	n.Weights = append([]int(nil), n.Weights...)
	return n
}
