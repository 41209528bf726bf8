package vt

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func compressAll(e *Emulator) {
	for e.Compressible() {
		e.Compress()
	}
}

// TestCompressionShowsNowhere compares a history that is compressed now and
// then with one that never is, while rows come, go and come back.
func TestCompressionShowsNowhere(t *testing.T) {
	t.Parallel()
	compressed := 0
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 21))
		one, two := New(40, 10, Options{History: 4000}), New(40, 10, Options{History: 4000})
		for step := range 40 {
			var b strings.Builder
			for range r.IntN(300) {
				fmt.Fprintf(&b, "\x1b[%dm%s\x1b[m\r\n", 31+r.IntN(7), strings.Repeat([]string{"plain ", "│ box ", "e\u0301", "世界 ", "\x1b[44m\x1b[K"}[r.IntN(5)], r.IntN(12)))
			}
			switch r.IntN(6) {
			case 0:
				b.WriteString(strings.Repeat("endless ", 2000))
			case 1:
				if r.IntN(8) == 0 {
					b.WriteString("\x1b[3J")
				}
			}
			one.Write([]byte(b.String()))
			two.Write([]byte(b.String()))
			if r.IntN(2) == 0 {
				compressAll(one)
			}
			if r.IntN(3) == 0 {
				cols, rows := 1+r.IntN(80), []int{3, 10, 30, 2000}[r.IntN(4)]
				one.Resize(cols, rows)
				two.Resize(cols, rows)
			}
			for _, b := range one.history.blocks {
				if b.small != nil {
					compressed++
				}
			}
			if step%5 != 0 {
				continue
			}
			if d := cmp.Diff(picture(two), picture(one)); d != "" {
				t.Fatalf("seed %d (-plain +compressed):\n%s", seed, d)
			}
		}
		check(t, one)
	}
	if compressed == 0 {
		t.Error("nothing was compressed")
	}
}

// TestCompressedHistoryIsSmall holds what compressing is for.
func TestCompressedHistoryIsSmall(t *testing.T) {
	t.Parallel()
	e := New(200, 50, Options{History: 10000})
	for i := range 10050 {
		e.Write(fmt.Appendf(nil, "2026-01-02T03:04:%02dZ \x1b[32mINFO\x1b[m  server.go:%d request id=%x took %dms\r\n", i%60, i%700, uint64(i)*0x9e3779b97f4a7c15, i%37))
	}
	before := e.history.bytes
	compressAll(e)
	if after := e.history.bytes; after > before*45/100 {
		t.Errorf("%d bytes became %d", before, after)
	}
	sum := 0
	for _, b := range e.history.blocks {
		sum += b.size()
	}
	if sum != e.history.bytes {
		t.Errorf("%d bytes are counted, %d there", e.history.bytes, sum)
	}
}

// BenchmarkNarrow is what narrowing a pane with a long history takes until the
// pane answers again.
func BenchmarkNarrow(b *testing.B) {
	for _, kind := range []struct {
		name, line string
		compress   bool
	}{
		{"plain", strings.Repeat("word ", 30), false},
		{"plain, compressed", strings.Repeat("word ", 30), true},
		{"boxes, compressed", strings.Repeat("│ é ", 35), true},
		{"wide", strings.Repeat("世界 ", 30), true},
	} {
		b.Run(kind.name, func(b *testing.B) {
			e := New(200, 50, Options{History: 100000})
			for range 100050 {
				e.Write([]byte(kind.line + "\r\n"))
			}
			if kind.compress {
				compressAll(e)
			}
			for b.Loop() {
				e.Resize(80, 50)
				e.Resize(200, 50)
			}
		})
	}
}
