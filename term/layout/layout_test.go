package layout

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplitSharesTheSpaceOfThePaneItDivides(t *testing.T) {
	t.Parallel()
	n := Leaf("a").Split("a", Right, "b").Split("b", Right, "c")
	want := []Place{
		{"a", Rect{0, 0, 39, 24}}, {"b", Rect{40, 0, 20, 24}}, {"c", Rect{61, 0, 19, 24}},
	}
	if diff := cmp.Diff(want, n.Arrange(Rect{0, 0, 80, 24})); diff != "" {
		t.Error(diff)
	}
	n = n.Split("b", Down, "d")
	if got := n.Panes(); !cmp.Equal(got, []PaneID{"a", "b", "d", "c"}) {
		t.Error(got)
	}
}

func TestRemoveMergesSplitsOfOneDirection(t *testing.T) {
	t.Parallel()
	n := Leaf("a").Split("a", Right, "b").Split("b", Down, "c").Split("c", Right, "d")
	n = n.Remove("b")
	if n.Dir != Right || len(n.Children) != 3 {
		t.Fatalf("want one row of three, got %+v", n)
	}
	for _, p := range []PaneID{"a", "c", "d"} {
		n = n.Remove(p)
	}
	if !n.IsLeaf() || n.Pane != "" {
		t.Fatalf("want the empty tree, got %+v", n)
	}
}

func TestNeighborsAreWhatTheEyeExpects(t *testing.T) {
	t.Parallel()
	area := Rect{0, 0, 80, 24}
	n := Leaf("a").Split("a", Right, "b").Split("b", Down, "c")
	for _, c := range []struct {
		from PaneID
		side Side
		want PaneID
	}{
		{"a", RightSide, "b"}, {"b", Left, "a"}, {"c", Left, "a"}, {"b", DownSide, "c"}, {"c", Up, "b"},
		{"a", Left, ""}, {"b", Up, ""},
	} {
		got, ok := n.Neighbor(area, c.from, c.side)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s side %d: got %q %v, want %q", c.from, c.side, got, ok, c.want)
		}
	}
}

func TestResizeMovesTheNearestBorder(t *testing.T) {
	t.Parallel()
	area := Rect{0, 0, 81, 24}
	n := Leaf("a").Split("a", Right, "b").Split("b", Down, "c")
	n = n.Resize(area, "c", Left, -10)
	if got := n.Arrange(area)[0].Rect.W; got != 30 {
		t.Errorf("a is %d wide, want 30", got)
	}
	n = n.Resize(area, "b", DownSide, 100)
	if got := n.Arrange(area)[2].Rect.H; got != 1 {
		t.Errorf("c is %d high, want 1", got)
	}
}

// FuzzArrange: whatever is split and wherever, the rectangles and the columns
// between them tile the area without overlap.
func FuzzArrange(f *testing.F) {
	f.Add(80, 24, []byte{0, 1, 2, 3, 4, 5})
	f.Add(1, 1, []byte{1, 1, 1})
	f.Fuzz(func(t *testing.T, w, h int, ops []byte) {
		if w < 0 || h < 0 || w > 300 || h > 300 || len(ops) > 40 {
			t.Skip()
		}
		area := Rect{0, 0, w, h}
		n := Leaf("p0")
		for i, op := range ops {
			panes := n.Panes()
			at := panes[int(op/4)%len(panes)]
			switch op % 4 {
			case 0, 1:
				n = n.Split(at, Dir(op%2), PaneID("p"+string(rune('a'+i))))
			case 2:
				n = n.Resize(area, at, Side(op/8%4), int(op%11)-5)
			case 3:
				if len(panes) > 1 {
					n = n.Remove(at)
				}
			}
		}
		checkTiling(t, n, area)
	})
}

func checkTiling(t *testing.T, n Node, area Rect) {
	t.Helper()
	seen := make([]int, area.W*area.H)
	mark := func(r Rect) {
		for y := r.Y; y < r.Y+r.H; y++ {
			for x := r.X; x < r.X+r.W; x++ {
				if !area.Contains(x, y) {
					t.Fatalf("%+v leaves %+v", r, area)
				}
				seen[y*area.W+x]++
			}
		}
	}
	for _, p := range n.Arrange(area) {
		mark(p.Rect)
	}
	for _, b := range n.Borders(area) {
		if b.Dir == Right {
			mark(b.Rect)
		}
	}
	for i, k := range seen {
		if k != 1 {
			t.Fatalf("cell %d,%d covered %d times by %+v", i%area.W, i/area.W, k, n)
		}
	}
}
