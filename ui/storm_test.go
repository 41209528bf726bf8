package ui

import (
	"fmt"
	"slices"
	"testing"

	"deck/lifecycle"
	"deck/term/keys"
	"deck/term/layout"
)

// FuzzStorm gives a model keys, mouse events, sizes, states and timers in any
// order. It must not panic, must draw into every size, and must never focus
// what is not there.
func FuzzStorm(f *testing.F) {
	f.Add([]byte("\x01c\x01%\x01\"\x01z\x01[/part\rnNvjjy\x01w\x1b\x01?q\x01x\x01,abc\r"))
	f.Add([]byte{0xf0, 3, 1, 0xf1, 7, 0xf2, 1, 9, 9, 0xf2, 2, 20, 20, 0xf3, 5, 0xf4, 0xf5, 2, 0xf0, 200, 90, 0xf6, 3, 3})
	f.Add([]byte{1, '[', 'v', 0xf3, 1, 'G', 'g', 'V', 0xf0, 10, 2, 'y', 0xf1, 0, 1, 'q', 0xf4, 1, 0xf2, 6, 30, 10})
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 400 {
			t.Skip()
		}
		w := newWorld(t, 80, 24, threePanes(), Settings{})
		for s := (storm{w: w, in: in}); s.step(); {
			// What is under an overlay is not seen.
			if c, _, _ := w.draw(); w.over == nil && !slices.Equal(c.Cells, w.frame.base.Cells) {
				t.Fatal("a row that changed was not drawn")
			}
			if id := w.where.focus(); id != "" {
				if _, ok := w.state.Pane(id); !ok {
					t.Fatalf("%s has the focus and is gone", id)
				}
			}
			if len(w.state.Tabs) > 0 && w.where.focus() == "" {
				t.Fatal("nothing has the focus")
			}
		}
	})
}

// storm turns bytes into messages.
type storm struct {
	w  *world
	in []byte
	n  int
}

func (s *storm) next() int {
	if len(s.in) == 0 {
		return 0
	}
	b := s.in[0]
	s.in = s.in[1:]
	return int(b)
}

func (s *storm) step() bool {
	if len(s.in) == 0 {
		return false
	}
	s.n++
	switch b := s.next(); b {
	case 0xf0:
		s.w.Update(SizeMsg{s.next(), s.next()})
	case 0xf1:
		s.w.Update(StateMsg{s.state(s.next())})
		s.w.fit()
	case 0xf2:
		k := s.next()
		s.w.mouseAt(keys.Mouse{Button: keys.Button(k % 8), Motion: k&16 != 0, Release: k&32 != 0, Mods: keys.Mod(k >> 7), X: s.next(), Y: s.next()})
	case 0xf3:
		for _, scr := range s.w.host.screens {
			scr.print(fmt.Sprint("more part ", s.n))
			scr.modes.Mouse = keys.MouseMode(s.n % 5)
			scr.held = s.n%3 == 0
		}
		s.w.Update(RowsMsg{})
	case 0xf4:
		s.w.Update(whichKeyMsg{s.w.prefix.turn})
	case 0xf5:
		s.w.Update(repeatEndedMsg{s.w.prefix.turn})
		s.w.Update(numbersEndedMsg{s.w.prefix.turn})
		s.w.Update(FocusMsg{layout.PaneID(fmt.Sprintf("p%d", s.next()%12))})
	case 0xf6:
		kind := keys.PasteStart + keys.Kind(s.next()%5)
		s.w.Update(TokenMsg{keys.Token{Kind: kind, Raw: []byte("pasted 日本\n")}})
	case 0xf7:
		s.w.Update(SettingsMsg{Settings{ReadOnly: s.next()&1 != 0, NoColor: true, ASCII: s.next()&1 != 0}})
	default:
		s.w.Update(TokenMsg{stormKey(byte(b))})
	}
	return true
}

// stormKey is a key for each byte.
func stormKey(b byte) keys.Token {
	if b >= ' ' && b < 0x7f {
		return keys.Token{Kind: keys.Text, Raw: []byte{b}}
	}
	codes := []keys.Code{keys.Escape, keys.Enter, keys.Tab, keys.Backspace, keys.Left, keys.Right, keys.Up, keys.Down,
		keys.PageUp, keys.PageDown, keys.Home, keys.End, keys.F1}
	k := keys.Key{Code: codes[int(b)%len(codes)], Mods: keys.Mod(b >> 5 & 7)}
	switch {
	case b == 1:
		k = keys.Key{Code: 'a', Mods: keys.Ctrl}
	case b == '\r':
		k = keys.Key{Code: keys.Enter}
	case b == 0x1b:
		k = keys.Key{Code: keys.Escape}
	case b >= 0xc0:
		return keys.Token{Kind: keys.Text, Raw: []byte{b, 'x', b}}
	}
	return keys.Token{Kind: keys.KeyPress, Key: k, Raw: []byte{b}}
}

// state is one of many states, some of them strange.
func (s *storm) state(n int) State {
	switch n % 6 {
	case 0:
		return threePanes()
	case 1:
		return everyState()
	case 2:
		return State{Session: "main"}
	case 3:
		st := oneShell()
		st.Session = "other"
		return st
	case 4:
		st := threePanes()
		st.Tabs[0].Root = st.Tabs[0].Root.Remove("p1")
		st.Panes = st.Panes[1:]
		st.Panes[0].Ended, st.Panes[0].Status.State = true, lifecycle.State("from the future")
		return st
	}
	st := threePanes()
	root := st.Tabs[0].Root
	for i := range n % 40 {
		id := layout.PaneID(fmt.Sprintf("q%d", i))
		root = root.Split("p2", layout.Dir(i%2), id)
		st.Panes = append(st.Panes, shell(id, "t1", fmt.Sprint("n", i)))
	}
	st.Tabs[0].Root = root
	for i := range n % 30 {
		id := layout.PaneID(fmt.Sprintf("r%d", i))
		st.Tabs = append(st.Tabs, Tab{ID: TabID(id), Name: "tab 日本", Root: layout.Leaf(id)})
		st.Panes = append(st.Panes, shell(id, TabID(id), "x"))
	}
	return st
}
