package vt

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"deck/term/screen"

	"github.com/google/go-cmp/cmp"
)

// TestHistoryKeepsCells scrolls rows of all kinds out of the screen and
// compares each cell, style and link with what it was there.
func TestHistoryKeepsCells(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	e := New(30, 4, Options{History: 5000})
	var want []string
	for n := range 1500 {
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteString([]string{
				"plain", "\x1b[1;31mred", "\x1b[48;2;1;2;3m ", "\x1b[m", "世界", "e\u0301", "👨\u200d👩", "❤\ufe0f",
				"\x1b[2C", "\x1b[44m\x1b[K", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "\x1b[4:3m~", "│", "\x1b[1\"qP\x1b[\"q",
			}[r.IntN(14)])
		}
		if n%700 == 699 {
			for i := range sweepMin { // ids change under the history
				fmt.Fprintf(&b, "\x1b[1G\x1b[38;2;%d;%d;7mx", i>>8, i&255)
			}
		}
		e.Write([]byte("\x1b[4;1H\x1b[m\x1b[2K\x1b[?7l" + b.String()))
		want = append(want, pictureRow(e.Table(), e.Row(3)))
		e.Write([]byte("\x1b[m\x1b[4;1H\n"))
	}
	var buf []screen.Cell
	n := e.HistoryLen()
	for i := range 3 { // the blank rows that were above
		if buf, _ = e.HistoryRow(i, buf); !strings.HasPrefix(pictureRow(e.Table(), buf), "____") {
			t.Errorf("row %d is not blank", i)
		}
	}
	for i := 3; i < n; i++ {
		buf, _ = e.HistoryRow(i, buf)
		if d := cmp.Diff(want[i-3], pictureRow(e.Table(), buf)); d != "" {
			t.Fatalf("row %d (-screen +history):\n%s", i, d)
		}
	}
}

func TestHistoryLimit(t *testing.T) {
	t.Parallel()
	e := New(20, 5, Options{History: 1000})
	for i := range 20000 {
		e.Write(fmt.Appendf(nil, "line %d\r\n", i))
		if n := e.HistoryLen(); i > 2000 && (n < 1000 || n >= 1000+blockRows) {
			t.Fatalf("%d rows of history after %d lines", n, i)
		}
	}
	n := e.HistoryLen()
	for i, want := range map[int]int{n - 1: 19995, 0: 19996 - n} {
		cells, _ := e.HistoryRow(i, nil)
		if got := rowString(e, cells); got != fmt.Sprintf("line %d", want) {
			t.Errorf("row %d of %d is %q, want line %d", i, n, got, want)
		}
	}
	if cells, _ := e.HistoryRow(n, nil); len(cells) > 0 {
		t.Error("a row beyond the history")
	}
	e.Write([]byte("\x1b[3J"))
	if e.HistoryLen() != 0 {
		t.Error("ED 3 left history")
	}
	none := New(20, 2, Options{})
	none.Write([]byte("a\r\nb\r\nc\r\n"))
	if none.HistoryLen() != 0 {
		t.Error("history without a limit")
	}
}

func rowString(e *Emulator, cells []screen.Cell) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(e.Table().Text(c.Char))
	}
	return strings.TrimRight(b.String(), " ")
}

// TestEndlessLine holds that output without a line feed is bounded like any
// other and that its rows stay joined.
func TestEndlessLine(t *testing.T) {
	t.Parallel()
	e := New(20, 5, Options{History: 3000})
	e.Write([]byte(strings.Repeat("0123456789", 20000)))
	if n := e.HistoryLen(); n < 3000 || n > 3000+2*maxBlockRows {
		t.Errorf("%d rows of history", n)
	}
	e.Resize(33, 5)
	check(t, e)
	e.Resize(20, 5)
	check(t, e)
	for i := range e.HistoryLen() {
		if cells, wrapped := e.HistoryRow(i, nil); !wrapped || len(cells) != 20 {
			t.Fatalf("row %d is not joined to the next", i)
		}
	}
}

// TestHistoryIsSmall holds the memory of log lines to less than what eight
// bytes a cell would take.
func TestHistoryIsSmall(t *testing.T) {
	t.Parallel()
	e := New(200, 50, Options{History: 10000})
	for i := range 10050 {
		e.Write(fmt.Appendf(nil, "2026-01-02T03:04:05Z \x1b[32mINFO\x1b[m  server.go:%d request id=%d took 12ms\r\n", i%700, i))
	}
	if perRow := e.history.bytes / e.HistoryLen(); perRow > 80 {
		t.Errorf("%d bytes a row", perRow)
	}
}

// Links are far longer than the text that has them, and a program can give
// each cell another one.
func TestHistoryOfLinksIsBounded(t *testing.T) {
	t.Parallel()
	e := New(20, 4, Options{History: 1 << 20})
	uri := strings.Repeat("x", maxURI-20)
	rows := maxHistory/len(uri) + 5000
	var b []byte
	for i := range rows {
		b = fmt.Appendf(b[:0], "\x1b]8;;http://%d/%s\x1b\\a\x1b]8;;\x1b\\\r\n", i, uri)
		e.Write(b)
	}
	if n, bytes := e.HistoryLen(), e.history.bytes; n >= rows-4 || n < rows/2 || bytes > maxHistory {
		t.Errorf("%d rows of %d are left, %d bytes", n, rows, bytes)
	}
	kept := 0
	for _, b := range e.history.blocks {
		for _, l := range b.links {
			kept += len(l.URI)
		}
	}
	if kept > maxHistory {
		t.Errorf("%d bytes of links", kept)
	}
	// What a screen that grows takes back is not counted any more.
	small := New(20, 4, Options{History: 100})
	small.Write([]byte(strings.Repeat("\x1b]8;;http://x\x1b\\a\x1b]8;;\x1b\\\r\n", 50)))
	small.Resize(20, 100)
	if small.history.bytes != 0 || small.HistoryLen() != 0 {
		t.Errorf("%d bytes of %d rows", small.history.bytes, small.HistoryLen())
	}
}
