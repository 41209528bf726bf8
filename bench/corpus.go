package main

import (
	"fmt"
	"strconv"
	"strings"
)

// corpora are what throughput is measured with: how much of each, in MB.
var corpora = []struct {
	kind      string
	mb, short int
}{
	{"text", 50, 20}, {"seq", 25, 10}, {"colour", 8, 8}, {"unicode", 8, 8}, {"agent", 8, 8},
}

// corpus returns about a megabyte of a kind, whole lines or frames. None of the
// marks is in it.
func corpus(kind string) []byte {
	var b []byte
	a := &agentScreen{}
	for i := 0; len(b) < 1<<20; i++ {
		switch kind {
		case "text":
			line := fmt.Sprintf("%06d it was not the tests that failed but the words in which they said so, again", i)
			b = append(b, line[:78]...)
			b = append(b, "\r\n"...)
		case "seq":
			b = strconv.AppendInt(b, int64(1000000+i), 10)
			b = append(b, "\r\n"...)
		case "colour":
			b = fmt.Appendf(b, "\x1b[38;5;%dm%06d \x1b[1mINFO\x1b[0m \x1b[48;2;%d;20;60mrequest\x1b[0m /v1/%d \x1b[32mok\x1b[0m\r\n", i%256, i, i%256, i%977)
		case "unicode":
			b = fmt.Appendf(b, "%06d 日本語の文章と漢字 ── │ ✓ ● naïve café Ελληνικά 🚀 👩‍💻 한국어\r\n", i)
		case "agent":
			b = append(b, a.next(i)...)
			if i%40 == 0 {
				b = append(b, diff(i)...)
			}
		}
	}
	return b
}

// diff is a change of a file as agents show it: full lines on a background.
func diff(i int) string {
	var s strings.Builder
	for j := range 12 {
		background := 22 + 30*(j%2)
		fmt.Fprintf(&s, "\x1b[48;5;%dm\x1b[38;5;250m%4d %c \x1b[39mreturn fmt.Errorf(\"line %d: %%w\", err)\x1b[K\x1b[0m\r\n", background, i+j, "+-"[j%2], j)
	}
	return s.String() + strings.Repeat("\r\n", 8)
}

// fillLine is a line of what fills histories: of a log, or coloured over the
// full width.
func fillLine(kind string, i, cols int) string {
	if kind == "log" {
		return fmt.Sprintf("\x1b[32m%08d\x1b[0m INFO request id=%06d path=/v1/items/%d status=200 nothing to complain\r\n", i, i*7919%1000000, i%97)
	}
	var s strings.Builder
	for j := range cols / 10 {
		fmt.Fprintf(&s, "\x1b[38;5;%dmtext-%04d ", 16+(i+j)%200, (i*7+j)%10000)
	}
	return s.String() + "\x1b[0m\r\n"
}
