package term

import (
	"strings"
	"testing"
	"time"

	"deck/term/keys"
	"deck/term/screen"
)

// BenchmarkDraw is a whole screen of 200×50 coloured cells, as after a switch
// of tabs; BenchmarkDrawRow one row of it, as after a key.
func BenchmarkDraw(b *testing.B)    { benchmarkDraw(b, 0) }
func BenchmarkDrawRow(b *testing.B) { benchmarkDraw(b, 1) }

func benchmarkDraw(b *testing.B, rows int) {
	p := sh(b, "read x", func(s *Spec) { s.Cols, s.Rows = 200, 50 })
	p.feed([]byte("\x1b[2J\x1b[H" + strings.Repeat("\x1b[31mred \x1b[32mgreen \x1b[1;48;5;20mblue\x1b[m", 700)))
	var tr screen.Translator
	c := screen.NewCanvas(220, 60)
	since := p.Draw(c, 10, 5, 200, 50, &tr, 0, 0).Generation
	for b.Loop() {
		if rows == 0 {
			p.Draw(c, 10, 5, 200, 50, &tr, 0, 0)
			continue
		}
		p.feed([]byte("\x1b[10;10Hx"))
		since = p.Draw(c, 10, 5, 200, 50, &tr, 0, since).Generation
	}
}

// BenchmarkLook is a script that reads all of a long history.
func BenchmarkLook(b *testing.B) {
	p := sh(b, "read x", func(s *Spec) { s.History = 10000 })
	p.feed([]byte(strings.Repeat("a line of a log that is as long as most of them are\r\n", 10000)))
	for b.Loop() {
		p.Look(10000, false)
	}
}

// BenchmarkEcho is a key to a program and its echo back, quiet and beside a
// flood.
func BenchmarkEcho(b *testing.B) {
	for _, flood := range []bool{false, true} {
		name := "quiet"
		if flood {
			name = "flood"
		}
		b.Run(name, func(b *testing.B) {
			pace := &Pace{}
			if flood {
				sh(b, "yes", func(s *Spec) { s.Pace = pace })
			}
			p := sh(b, "stty raw -echo; echo ready; exec cat", func(s *Spec) { s.Pace = pace })
			until(b, p, "the program", shows("ready"))
			wake := make(chan struct{}, 1)
			p.Watch(wake)
			defer p.Unwatch(wake)
			for b.Loop() {
				select {
				case <-wake:
				default:
				}
				if err := p.Input(keys.Token{Kind: keys.Text, Raw: []byte("x")}); err != nil {
					b.Fatal(err)
				}
				select {
				case <-wake:
				case <-time.After(limit):
					b.Fatal("no echo")
				}
			}
		})
	}
}

// BenchmarkOutput is what a program writes, through the PTY and the emulator.
func BenchmarkOutput(b *testing.B) {
	const mb = 20
	b.SetBytes(mb << 20)
	for b.Loop() {
		p := sh(b, `yes 'a line of a log that is as long as most of them are' | head -c 20971520; printf done`)
		select {
		case <-p.Exited():
		case <-time.After(limit):
			b.Fatal("the program does not end")
		}
		shut(b, p)
	}
}
