package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"
)

// typist is the agent that is prompted in tests. It takes one read for one
// paste, as agents do that have to guess: an Enter that comes with a text is a
// part of it. What is submitted goes to a file, a line of JSON each; every turn
// takes as long as its first argument says, and every frame as long as the second.
type typist struct {
	draft string
	busy  bool
	turns int
	log   *os.File
	turn  time.Duration
	slow  time.Duration
	plain bool // it is not told what is pasted, and takes all for keys
}

// typistName is the program name under which the test program is a typist; deck
// takes it for that agent.
const typistName = "claude"

// runTypist is the test program as a typist.
func runTypist(log string, turn, slow string, plain bool) {
	state, err := term.MakeRaw(0)
	if err != nil {
		panic(err)
	}
	defer func() { _ = term.Restore(0, state) }()
	a := &typist{plain: plain}
	if a.log, err = os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err != nil {
		panic(err)
	}
	t, _ := strconv.Atoi(turn)
	s, _ := strconv.Atoi(slow)
	a.turn, a.slow = time.Duration(t)*time.Millisecond, time.Duration(s)*time.Millisecond
	if !plain {
		_, _ = os.Stdout.WriteString("\x1b[?2004h")
	}
	a.loop()
}

func (a *typist) loop() {
	typed := make(chan []byte)
	go func() {
		defer close(typed)
		buf := make([]byte, 1<<16)
		for {
			n, err := os.Stdin.Read(buf)
			if err != nil {
				return
			}
			typed <- bytes.Clone(buf[:n])
		}
	}()
	var over <-chan time.Time
	var inPaste bool
	for {
		time.Sleep(a.slow) // it draws late
		a.draw()
		select {
		case b, ok := <-typed:
			if !ok {
				return
			}
			inPaste = a.take(string(b), inPaste)
		case <-over:
			over, a.busy = nil, false
		}
		if a.busy && over == nil {
			over = time.After(a.turn)
		}
	}
}

// take takes what came in one read; inside of a bracketed paste all of it is text.
func (a *typist) take(s string, inPaste bool) bool {
	if a.plain {
		for _, k := range s {
			a.key(string(k))
		}
		return false
	}
	for s != "" {
		mark := "\x1b[200~"
		if inPaste {
			mark = "\x1b[201~"
		}
		text, rest, found := strings.Cut(s, mark)
		switch {
		case inPaste || len(text) > 1:
			a.draft += strings.ReplaceAll(text, "\r", "\n")
		case text != "":
			a.key(text)
		}
		s = rest
		if found {
			inPaste = !inPaste
		}
	}
	return inPaste
}

func (a *typist) key(k string) {
	switch k {
	case "\r":
		if a.draft != "" && !a.busy {
			line, _ := json.Marshal(a.draft)
			_, _ = a.log.Write(append(line, '\n'))
			a.draft, a.busy = "", true
			a.turns++
		}
	case "\x15":
		a.draft = ""
	default:
		a.draft += k
	}
}

func (a *typist) draw() {
	title, spinner := "✳ Claude Code", ""
	if a.busy {
		title, spinner = "◐ Claude Code", "✻ Thinking… (1s · ↓ 20 tokens)"
	}
	rule := strings.Repeat("─", 60)
	lines := strings.Split(a.draft, "\n")
	if len(lines) > 8 {
		lines = lines[len(lines)-8:]
	}
	for i, l := range lines {
		if len(l) > 50 {
			lines[i] = l[:50]
		}
	}
	fmt.Printf("\x1b]0;%s\x07\x1b[?2026h\x1b[2J\x1b[H● turn %d\r\n\r\n%s\r\n%s\r\n❯ %s\r\n%s\r\n  ? for shortcuts\x1b[?2026l",
		title, a.turns, spinner, rule, strings.Join(lines, "\r\n  "), rule)
}
