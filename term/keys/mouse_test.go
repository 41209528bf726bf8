package keys

import "testing"

// TestMouseModes: who is told what.
func TestMouseModes(t *testing.T) {
	t.Parallel()
	events := []struct {
		name string
		mo   Mouse
		in   [5]bool // MouseOff, X10, Normal, Button, Any
	}{
		{"press", Mouse{Button: ButtonLeft}, [5]bool{false, true, true, true, true}},
		{"release", Mouse{Button: ButtonLeft, Release: true}, [5]bool{false, false, true, true, true}},
		{"release of no known button", Mouse{Release: true}, [5]bool{false, false, true, true, true}},
		{"drag", Mouse{Button: ButtonRight, Motion: true}, [5]bool{false, false, false, true, true}},
		{"motion", Mouse{Motion: true}, [5]bool{false, false, false, false, true}},
		{"wheel", Mouse{Button: WheelUp}, [5]bool{false, false, true, true, true}},
		{"wheel released", Mouse{Button: WheelUp, Release: true}, [5]bool{}},
		{"extra button", Mouse{Button: ButtonBack}, [5]bool{false, false, true, true, true}},
		{"nothing", Mouse{}, [5]bool{}},
	}
	for _, e := range events {
		for mode, want := range e.in {
			for enc := MouseDefault; enc <= MouseSGRPixels; enc++ {
				out := EncodeMouse(nil, e.mo, Modes{Mouse: MouseMode(mode), MouseEncoding: enc})
				if got := len(out) > 0; got != want {
					t.Errorf("%s in mode %d, encoding %d: %q, want any: %v", e.name, mode, enc, out, want)
				}
			}
		}
	}
}

func TestMouseEncodings(t *testing.T) {
	t.Parallel()
	press := Mouse{X: 9, Y: 4, Button: ButtonMiddle, Mods: Shift | Ctrl}
	release := Mouse{X: 9, Y: 4, Button: ButtonMiddle, Release: true}
	far := Mouse{X: 299, Y: 99, Button: ButtonLeft}
	for _, tt := range []struct {
		mo   Mouse
		m    Modes
		want string
	}{
		{press, Modes{MouseEncoding: MouseDefault}, "\x1b[M5*%"},
		{press, Modes{MouseEncoding: MouseUTF8}, "\x1b[M5*%"},
		{press, Modes{MouseEncoding: MouseSGR}, "\x1b[<21;10;5M"},
		{press, Modes{MouseEncoding: MouseURXVT}, "\x1b[53;10;5M"},
		{press, Modes{MouseEncoding: MouseSGRPixels, CellW: 8, CellH: 16}, "\x1b[<21;77;73M"},
		{press, Modes{MouseEncoding: MouseSGRPixels}, "\x1b[<21;10;5M"},
		{press, Modes{Mouse: MouseX10}, "\x1b[M!*%"},
		{release, Modes{MouseEncoding: MouseDefault}, "\x1b[M#*%"},
		{release, Modes{MouseEncoding: MouseSGR}, "\x1b[<1;10;5m"},
		{release, Modes{MouseEncoding: MouseURXVT}, "\x1b[35;10;5M"},
		{far, Modes{MouseEncoding: MouseDefault}, ""},
		{far, Modes{MouseEncoding: MouseUTF8}, "\x1b[M Ō\u0084"},
		{far, Modes{MouseEncoding: MouseSGR}, "\x1b[<0;300;100M"},
		{Mouse{X: 299, Y: 4, Release: true}, Modes{MouseEncoding: MouseDefault}, "\x1b[M#\xff%"},
		{Mouse{X: -3, Y: -1, Button: ButtonLeft, Motion: true}, Modes{MouseEncoding: MouseSGR}, "\x1b[<32;1;1M"},
		{Mouse{Button: WheelRight}, Modes{MouseEncoding: MouseSGR}, "\x1b[<67;1;1M"},
		{Mouse{Button: ButtonForward}, Modes{MouseEncoding: MouseSGR}, "\x1b[<129;1;1M"},
		{Mouse{Motion: true, Mods: Alt}, Modes{MouseEncoding: MouseSGR}, "\x1b[<43;1;1M"},
	} {
		if tt.m.Mouse == MouseOff {
			tt.m.Mouse = MouseAny
		}
		if got := string(EncodeMouse(nil, tt.mo, tt.m)); got != tt.want {
			t.Errorf("%+v for %+v: %q, want %q", tt.mo, tt.m, got, tt.want)
		}
	}
}

func TestMouseRoundTrip(t *testing.T) {
	t.Parallel()
	for enc := MouseDefault; enc <= MouseURXVT; enc++ {
		for b := NoButton; b <= ButtonForward; b++ {
			for mods := range Ctrl << 1 {
				for _, kind := range []Mouse{{}, {Motion: true}, {Release: true}} {
					mo := Mouse{X: 80, Y: 120, Button: b, Mods: mods, Motion: kind.Motion, Release: kind.Release}
					if wheel(b) && (mo.Motion || mo.Release) {
						continue
					}
					out := EncodeMouse(nil, mo, Modes{Mouse: MouseAny, MouseEncoding: enc})
					if b == NoButton && !mo.Motion && !mo.Release {
						continue
					}
					tok := Tokenizer{UTF8Mouse: enc == MouseUTF8, button: b}
					got := feed(&tok, out)
					if len(got) != 1 || got[0].Mouse != mo {
						t.Fatalf("%+v in encoding %d: %q is %v", mo, enc, out, describe(got))
					}
				}
			}
		}
	}
}

// TestWheelArrows: mode 1007 and only it, on the alternate screen, without a
// mouse mode.
func TestWheelArrows(t *testing.T) {
	t.Parallel()
	up, down := Mouse{Button: WheelUp}, Mouse{Button: WheelDown}
	alt := Modes{AltScreen: true, AltScroll: true}
	app := alt
	app.AppCursor = true
	events := alt
	events.Kitty = flagDisambiguate | flagEvents
	for _, tt := range []struct {
		mo   Mouse
		m    Modes
		want string
	}{
		{up, alt, "\x1b[A\x1b[A\x1b[A"},
		{down, alt, "\x1b[B\x1b[B\x1b[B"},
		{up, app, "\x1bOA\x1bOA\x1bOA"},
		{up, events, "\x1b[A\x1b[A\x1b[A"},
		{Mouse{Button: WheelLeft}, alt, ""},
		{Mouse{Button: ButtonLeft}, alt, ""},
		{up, Modes{AltScreen: true}, ""},
		{up, Modes{AltScroll: true}, ""},
		{up, Modes{AltScreen: true, AltScroll: true, Mouse: MouseX10}, ""},
	} {
		if got := string(EncodeMouse(nil, tt.mo, tt.m)); got != tt.want {
			t.Errorf("%+v for %+v: %q, want %q", tt.mo, tt.m, got, tt.want)
		}
	}
}

// TestMouseMovesToPane: the position a program gets is that of the event, not
// of the bytes it came in.
func TestMouseMovesToPane(t *testing.T) {
	t.Parallel()
	tok := feed(new(Tokenizer), []byte("\x1b[<0;50;10M"))[0]
	tok.Mouse.X -= 40
	got := string(Encode(nil, tok, Modes{Mouse: MouseNormal, MouseEncoding: MouseSGR}))
	if got != "\x1b[<0;10;10M" {
		t.Errorf("%q", got)
	}
}
