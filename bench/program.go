package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// paneProgram is what this program does inside a pane.
func paneProgram(kind string, args []string) {
	switch kind {
	case "idle":
		fmt.Printf("%c\r\n", ready)
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "echo":
		echoProgram()
	case "emit":
		emitProgram(args[0], args[1])
	case "winch":
		winchProgram(args[0])
	case "spinner":
		ticking(100*time.Millisecond, spinnerFrame)
	case "log":
		ticking(50*time.Millisecond, logLine)
	case "agent":
		a := &agentScreen{}
		fmt.Print(a.first())
		ticking(100*time.Millisecond, a.next)
	case "burst":
		ticking(time.Second, burst)
	}
}

// rawMode makes the terminal give each key at once and echo none.
func rawMode() {
	c := exec.Command("stty", "raw", "-echo")
	c.Stdin = os.Stdin
	if err := c.Run(); err != nil {
		fmt.Println("stty:", err)
		os.Exit(1)
	}
}

// echoProgram echoes as an editor does: it, and not the terminal's driver,
// draws what was typed. DEL takes a character back.
func echoProgram() {
	rawMode()
	fmt.Printf("%c\r\n", ready)
	var b [64]byte
	for {
		n, err := os.Stdin.Read(b[:])
		if err != nil {
			return
		}
		for _, c := range b[:n] {
			if c == 0x7f {
				_, _ = os.Stdout.WriteString("\b \b")
			} else {
				_, _ = os.Stdout.Write([]byte{c})
			}
		}
	}
}

// emitProgram waits for a key, writes a corpus, and then a mark. The corpus is
// written whole: half a frame would be a synchronized update that stays open, and
// the mark in it rightly waits.
func emitProgram(kind, megabytes string) {
	mb, _ := strconv.Atoi(megabytes)
	block := corpus(kind)
	rawMode()
	fmt.Printf("%c\r\n", ready)
	var key [1]byte
	for {
		if _, err := os.Stdin.Read(key[:]); err != nil {
			return
		}
		for range mb {
			if _, err := os.Stdout.Write(block); err != nil {
				return
			}
		}
		fmt.Printf("\x1b[m\r\n%c", mark)
	}
}

// winchProgram fills the history and says so; then it marks each new size.
func winchProgram(lines string) {
	n, _ := strconv.Atoi(lines)
	w := bufio.NewWriterSize(os.Stdout, 64<<10)
	for i := range n {
		fmt.Fprintf(w, "%06d a line of a log that is a little longer than a narrow pane, so that it is wrapped there: %s\r\n", i, strings.Repeat("word ", i%20))
	}
	size := make(chan os.Signal, 8)
	signal.Notify(size, syscall.SIGWINCH)
	fmt.Fprintf(w, "\r\n%c\r\n", ready)
	w.Flush()
	for range size {
		fmt.Printf("\r\n%c", mark)
	}
}

// ticking writes what frame returns, at a rate. It leaves its mark alone for
// long enough to be drawn.
func ticking(every time.Duration, frame func(i int) string) {
	fmt.Printf("%c\r\n", ready)
	time.Sleep(300 * time.Millisecond)
	t := time.NewTicker(every)
	for i := 0; ; i++ {
		_, _ = os.Stdout.WriteString(frame(i))
		<-t.C
	}
}

var dots = []rune("⣾⣽⣻⢿⡿⣟⣯⣷")

// spinnerFrame is a status line that turns and counts.
func spinnerFrame(i int) string {
	return fmt.Sprintf("\r\x1b[38;5;208m%c\x1b[39m Thinking about it \x1b[2m(%d s, esc interrupts)\x1b[22m\x1b[K", dots[i%len(dots)], i/10)
}

func logLine(i int) string {
	return fmt.Sprintf("\x1b[32m12:%02d:%02d.%03d\x1b[0m INFO request id=%06d path=/v1/items/%d status=200\r\n", i/1200%60, i/20%60, i*50%1000, i*7919%1000000, i%97)
}

// burst is a screenful and much more, at once.
func burst(i int) string {
	var s strings.Builder
	for j := range 2000 {
		fmt.Fprintf(&s, "step %d.%d compiled a file of the project and found nothing to say\r\n", i, j)
	}
	return s.String()
}

// agentScreen repaints its last rows ten times a second, as coding agents do,
// while a text grows above them.
type agentScreen struct{ line strings.Builder }

const agentWords = "reading the parser again because one of its tests expects an error where the grammar has none "

func (a *agentScreen) first() string { return strings.Repeat("\r\n", 8) + "\x1b[8A" + a.rows(0) }

func (a *agentScreen) next(i int) string {
	words := strings.Fields(agentWords)
	a.line.WriteString(words[i%len(words)] + " ")
	done := ""
	if a.line.Len() > 110 {
		done = a.line.String() + "\x1b[K\r\n"
		a.line.Reset()
	}
	return "\x1b[?2026h\x1b[7A\r" + done + a.rows(i) + "\x1b[?2026l"
}

func (a *agentScreen) rows(i int) string {
	bar := strings.Repeat("─", 120)
	return fmt.Sprintf("\x1b[0m● %s\x1b[K\r\n\x1b[K\r\n\x1b[38;5;174m%c Working… (%d s, %d tokens)\x1b[0m\x1b[K\r\n\x1b[K\r\n"+
		"\x1b[2m╭%s╮\x1b[0m\r\n\x1b[2m│\x1b[0m >%s\x1b[2m│\x1b[0m\r\n\x1b[2m╰%s╯\x1b[0m\r\n  ? for help\x1b[K",
		a.line.String(), dots[i%len(dots)], i/10, i*13, bar, strings.Repeat(" ", 118), bar)
}
