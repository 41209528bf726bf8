package server

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"deck/term/vt"
	"deck/term/wire"
)

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

// startServer runs a server in this process until the test ends.
func startServer(t testing.TB) (socket string) {
	t.Helper()
	dir := ownFolders(t)
	socket = filepath.Join(dir, "s")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, Options{Socket: socket}) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("server: %v", err)
		}
	})
	for {
		state, _, err := Probe(t.Context(), socket)
		switch {
		case state == Alive:
			return socket
		case err != nil:
			t.Fatal(err)
		}
		runtime.Gosched()
	}
}

// terminal is a terminal with a relay: an emulator that shows what comes and
// answers as a terminal does.
type terminal struct {
	t      *testing.T
	stream *wire.Stream
	fed    chan struct{} // of one: something came

	mu   sync.Mutex
	em   *vt.Emulator // guarded by mu
	exit *wire.Exit   // guarded by mu
	err  error        // guarded by mu
}

// attachTerminal attaches one that runs command in a new tab.
func attachTerminal(t *testing.T, socket string, cols, rows int, command ...string) *terminal {
	t.Helper()
	term := openTerminal(t, socket, cols, rows, command...)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		term.read()
	}()
	t.Cleanup(func() {
		term.stream.Close()
		<-ended
	})
	return term
}

// openTerminal is the same without anybody who reads.
func openTerminal(t *testing.T, socket string, cols, rows int, command ...string) *terminal {
	t.Helper()
	a := wire.Attach{
		Protocol: wire.Protocol, Version: wire.Version, Dir: "/", Size: wire.Size{Cols: cols, Rows: rows},
		Env:     map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8"},
		PaneEnv: []string{"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "SHELL=/bin/sh"},
	}
	if len(command) > 0 {
		a.New = &wire.NewPane{Command: command, Focus: true}
	}
	conn := wire.Open(socket, "")
	t.Cleanup(conn.Close)
	stream, err := conn.Attach(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stream.Close() })
	return &terminal{t: t, stream: stream, fed: make(chan struct{}, 1), em: vt.New(cols, rows, vt.Options{})}
}

func (m *terminal) read() {
	for {
		kind, payload, err := m.stream.Read()
		m.mu.Lock()
		m.err = err
		var replies []byte
		switch {
		case err != nil:
		case kind == wire.FrameOutput:
			m.em.Write(payload)
			replies = m.em.TakeReplies(nil)
		case kind == wire.FrameExit:
			m.exit = &wire.Exit{}
			m.err = json.Unmarshal(payload, m.exit)
		}
		m.mu.Unlock()
		select {
		case m.fed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
		if len(replies) > 0 {
			_ = m.stream.Input(replies)
		}
	}
}

func (m *terminal) text() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, rows := m.em.Size()
	var b strings.Builder
	for y := range rows {
		for _, c := range m.em.Row(y) {
			b.WriteString(m.em.Table().Text(c.Char))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func (m *terminal) ended() *wire.Exit {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.exit
}

// until waits for what the terminal shows or was told.
func (m *terminal) until(what string, ok func() bool) {
	m.t.Helper()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for !ok() {
		select {
		case <-m.fed:
		case <-limit.C:
			m.t.Fatalf("no %s; exit %+v; the screen:\n%s", what, m.ended(), m.text())
		}
	}
}

func (m *terminal) sees(want string) {
	m.t.Helper()
	m.until(fmt.Sprintf("%q on the screen", want), func() bool { return strings.Contains(m.text(), want) })
}

func (m *terminal) types(keys string) {
	m.t.Helper()
	if err := m.stream.Input([]byte(keys)); err != nil {
		m.t.Fatal(err)
	}
}

func (m *terminal) exits(reason, message string) {
	m.t.Helper()
	m.until("exit", func() bool { return m.ended() != nil })
	if e := m.ended(); e.Reason != reason || !strings.Contains(e.Message, message) {
		m.t.Errorf("exit %+v, want %s, %s", e, reason, message)
	}
}

func TestATerminalAttachesTypesAndDetaches(t *testing.T) {
	socket := startServer(t)
	a := attachTerminal(t, socket, 80, 24, "cat")
	a.sees("cat")
	a.types("hello\r")
	a.sees("hello")
	a.types("\x01d")
	a.exits("detached", "main")
	b := attachTerminal(t, socket, 60, 20)
	b.sees("hello")
}

func TestAStoppedServerTellsItsClients(t *testing.T) {
	socket := startServer(t)
	a := attachTerminal(t, socket, 80, 24, "cat")
	a.sees("cat")
	conn := wire.Open(socket, "")
	defer conn.Close()
	if err := conn.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	a.exits("stopped", "stopped")
}

func TestATerminalIsResizedManyTimes(t *testing.T) {
	socket := startServer(t)
	a := attachTerminal(t, socket, 80, 24, "cat")
	a.sees("cat")
	for i := range 200 {
		if err := a.stream.Resize(wire.Size{Cols: 1 + i*7%160, Rows: 1 + i*3%60}); err != nil {
			t.Fatal(err)
		}
	}
	a.mu.Lock()
	a.em.Resize(90, 25)
	a.mu.Unlock()
	if err := a.stream.Resize(wire.Size{Cols: 90, Rows: 25}); err != nil {
		t.Fatal(err)
	}
	a.types("still here\r")
	a.sees("still here")
}

func TestAnotherProtocolGetsASentence(t *testing.T) {
	socket := startServer(t)
	for _, c := range []struct {
		protocol int
		want     string
	}{{0, "too old for the server"}, {99, "run: deck server stop"}} {
		conn := wire.Open(socket, "")
		stream, err := conn.Attach(t.Context(), wire.Attach{Protocol: c.protocol, Version: "other"})
		if err != nil {
			t.Fatal(err)
		}
		kind, payload, err := stream.Read()
		var e wire.Exit
		if err != nil || kind != wire.FrameExit || json.Unmarshal(payload, &e) != nil || !strings.Contains(e.Message, c.want) {
			t.Errorf("protocol %d: %q %s %v", c.protocol, kind, payload, err)
		}
		stream.Close()
		conn.Close()
	}
}

// Many terminals stop to read while a program floods the screen they show:
// another one still sees its keys, and what is kept for them is bounded.
func TestTerminalsThatStopReadingCostOnlyTheirFrames(t *testing.T) {
	socket := startServer(t)
	a := attachTerminal(t, socket, 100, 30, "cat")
	a.sees("cat")
	conn := wire.Open(socket, "")
	defer conn.Close()
	if _, err := conn.NewPane(t.Context(), wire.NewPane{Place: "right", Command: []string{"yes"}}); err != nil {
		t.Fatal(err)
	}
	a.sees("┃y")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	stalled := make([]*terminal, 64)
	for i := range stalled {
		stalled[i] = openTerminal(t, socket, 80+i%3*20, 24)
	}
	for i := range 30 {
		key := fmt.Sprintf("k%02d", i)
		a.types(key + "\r")
		a.sees(key)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 64<<20 {
		t.Errorf("%d stalled terminals take %d bytes", len(stalled), grown)
	}
}

// Every prefix key starts a command that waits for a moment; a terminal that
// sends nothing else must not make the server start them all.
func TestAFloodOfKeysStartsFewCommands(t *testing.T) {
	socket := startServer(t)
	flood := attachTerminal(t, socket, 80, 24, "/bin/cat")
	flood.sees("PANE")
	flood.types(strings.Repeat("\x01a", wire.MaxFrame/2))
	flood.sees("^A^A^A") // what the prefix key and a type, which comes back
	if n, limit := runtime.NumGoroutine(), 2*(inputStep+maxCommands); n > limit {
		t.Errorf("%d goroutines, want %d at most", n, limit)
	}
}

// TestWideCharactersComeWhole has more of them than fit into a frame or a buffer,
// for a client that is there and for one that comes later.
func TestWideCharactersComeWhole(t *testing.T) {
	socket := startServer(t)
	a := attachTerminal(t, socket, 121, 40, "/bin/sh", "-c", `i=0; while [ $i -lt 400 ]; do printf '😀日é👩‍🚀%.0s' 1 2 3 4 5 6 7 8 9; i=$((i+1)); done; printf '\nend'; exec cat`)
	a.sees("end")
	b := attachTerminal(t, socket, 77, 30)
	b.sees("end")
	for _, m := range []*terminal{a, b} {
		if text := m.text(); strings.ContainsRune(text, '\ufffd') || !strings.Contains(text, "😀日é👩‍🚀😀") {
			t.Errorf("the terminal shows\n%s", text)
		}
	}
}
