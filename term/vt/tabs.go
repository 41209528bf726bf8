package vt

// tabStops holds a stop for each column.
type tabStops []bool

// resize makes room for n columns; new ones have a stop at every eighth.
func (t tabStops) resize(n int) tabStops {
	for x := len(t); x < n; x++ {
		t = append(t, x%8 == 0)
	}
	return t
}

// reset sets the stops that a terminal starts with.
func (t tabStops) reset() {
	for x := range t {
		t[x] = x%8 == 0
	}
}

// tab moves the cursor n stops to the right, at most to the edge.
func (e *Emulator) tab(n int) {
	right := e.rightEdge()
	for ; n > 0 && e.cur.x < right; n-- {
		e.cur.wrap = false
		for e.cur.x++; e.cur.x < right && !e.tabs[e.cur.x]; {
			e.cur.x++
		}
	}
}

// backTab moves the cursor n stops to the left.
func (e *Emulator) backTab(n int) {
	left := 0
	if e.cur.origin {
		left = e.left
	}
	e.cur.wrap = false
	for ; n > 0 && e.cur.x > left; n-- {
		for e.cur.x--; e.cur.x > left && !e.tabs[e.cur.x]; {
			e.cur.x--
		}
	}
}

// clearTabs is TBC and, with n 5, DECST8C.
func (e *Emulator) clearTabs(s *sequence) {
	switch s.value(0, 0) {
	case 0:
		e.tabs[e.cur.x] = false
	case 3:
		clear(e.tabs)
	}
}
