package vt

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"deck/term/screen"
)

// corpora are what programs write in bulk, made here so that every run
// measures the same bytes.
func corpora() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	const size = 1 << 20
	make := func(line func(b *strings.Builder, n int)) []byte {
		var b strings.Builder
		for n := 1; b.Len() < size; n++ {
			line(&b, n)
		}
		return []byte(b.String())
	}
	word := func() string {
		w := "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor"
		return strings.Fields(w)[r.IntN(12)]
	}
	return map[string][]byte{
		"text80": make(func(b *strings.Builder, n int) {
			l := fmt.Sprintf("%08d ", n)
			for len(l) < 80 {
				l += word() + " "
			}
			b.WriteString(l[:80] + "\r\n")
		}),
		"seq": make(func(b *strings.Builder, n int) { fmt.Fprintf(b, "%d\r\n", 100000+n) }),
		"colour": make(func(b *strings.Builder, _ int) {
			for range 8 {
				switch r.IntN(3) {
				case 0:
					fmt.Fprintf(b, "\x1b[%dm%s\x1b[0m ", 30+r.IntN(8), word())
				case 1:
					fmt.Fprintf(b, "\x1b[38;5;%dm%s ", r.IntN(256), word())
				case 2:
					fmt.Fprintf(b, "\x1b[38;2;%d;%d;%dm%s ", r.IntN(256), r.IntN(256), r.IntN(256), word())
				}
			}
			b.WriteString("\r\n")
		}),
		"unicode": make(func(b *strings.Builder, _ int) {
			for range 6 {
				b.WriteString([]string{"世界こんにちは", "│──├└ ", "😀👍🏽 ", "naïve café ", "👨‍👩‍👧 ", "e\u0301a\u0308 "}[r.IntN(6)])
			}
			b.WriteString("\r\n")
		}),
		"tui": make(func(b *strings.Builder, n int) {
			b.WriteString("\x1b[?2026h\x1b[H")
			for y := range 24 {
				fmt.Fprintf(b, "\x1b[%d;1H\x1b[K\x1b[1;%dm│\x1b[m %-40s \x1b[7m%3d%%\x1b[27m", y+1, 31+y%7, strings.Repeat("━", (n+y)%30), n%100)
			}
			b.WriteString("\x1b[?2026l")
		}),
	}
}

func BenchmarkWrite(b *testing.B) {
	for name, data := range corpora() {
		b.Run(name, func(b *testing.B) {
			e := New(80, 24, Options{History: 10000})
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				for p := data; len(p) > 0; {
					n := min(len(p), 32<<10)
					e.Write(p[:n])
					p = p[n:]
				}
				e.TakeReplies(nil)
			}
		})
	}
}

// BenchmarkReflow narrows and widens a screen with a long history, which must
// answer at once.
func BenchmarkReflow(b *testing.B) {
	e := New(200, 50, Options{History: 100000})
	line := strings.Repeat("0123456789", 15) + "\r\n"
	for range 100000 {
		e.Write([]byte(line))
	}
	for b.Loop() {
		e.Resize(100, 50)
		e.Resize(200, 50)
	}
}

// BenchmarkHistoryRows reads a screenful out of a history that is wrapped
// otherwise than it was stored.
func BenchmarkHistoryRows(b *testing.B) {
	e := New(200, 50, Options{History: 100000})
	line := strings.Repeat("0123456789", 15) + "\r\n"
	for range 100000 {
		e.Write([]byte(line))
	}
	e.Resize(100, 50)
	n := e.HistoryLen()
	var buf []screen.Cell
	for b.Loop() {
		for y := range 50 {
			buf, _ = e.HistoryRow(n/2+y, buf)
		}
	}
}
