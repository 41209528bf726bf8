package server

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"deck/term/wire"
)

// rawStream opens the stream of a terminal and says whatever it is told to.
func rawStream(t *testing.T, socket string, said []byte) (*bufio.Reader, net.Conn) {
	t.Helper()
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(patience))
	_, err = fmt.Fprintf(conn, "GET /v1/attach HTTP/1.1\r\nHost: deck\r\nConnection: Upgrade\r\nUpgrade: %s\r\n\r\n%s",
		wire.UpgradeAttach, said)
	if err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(conn)
	answer, err := http.ReadResponse(r, nil)
	if err != nil || answer.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("attach: %v, %v", answer, err)
	}
	return r, conn
}

// frame is a frame that may lie about its length.
func frame(kind wire.FrameType, length uint32, payload string) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{byte(kind)}, length), payload...)
}

func greeting(size wire.Size) []byte {
	text, _ := json.Marshal(wire.Attach{Protocol: wire.Protocol, Version: wire.Version, Dir: "/", Size: size,
		Env: map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8"}})
	return frame(wire.FrameHello, uint32(len(text)), string(text))
}

// What is no hello gets a reason; what is nonsense after a hello ends that
// stream or is skipped, and the server answers the next one.
func TestNonsenseOnTheStreamCostsThatStream(t *testing.T) {
	socket := startServer(t)
	for _, c := range []struct {
		name string
		said []byte
		want string
	}{
		{"no JSON", frame(wire.FrameHello, 2, "xx"), "invalid character"},
		{"4 GB", frame(wire.FrameHello, 1<<32-1, "x"), "frame too long"},
		{"another frame", frame(wire.FrameInput, 2, "{}"), "not a hello"},
	} {
		r, _ := rawStream(t, socket, c.said)
		kind, payload, err := wire.ReadFrame(r, nil)
		if err != nil || kind != wire.FrameExit || !strings.Contains(string(payload), c.want) {
			t.Errorf("%s: %q %s %v, want %s", c.name, kind, payload, err, c.want)
		}
	}
	hello := greeting(wire.Size{Cols: 80, Rows: 24})
	r, _ := rawStream(t, socket, append(hello, frame(wire.FrameInput, 1<<32-1, "x")...))
	if _, err := io.Copy(io.Discard, r); err != nil {
		t.Errorf("a frame of 4 GB does not end the stream: %v", err)
	}
	skipped := append(hello, frame('Q', 3, "abc")...)
	skipped = append(skipped, frame(wire.FrameSize, 1, "{")...)
	skipped = append(skipped, hello...)
	r, conn := rawStream(t, socket, append(skipped, frame(wire.FrameInput, 2, "\x01d")...))
	if text, err := io.ReadAll(r); err != nil || !strings.Contains(string(text), `"reason":"detached"`) {
		t.Errorf("unknown frames: %q, %v", text, err)
	}
	conn.Close()
}

// A terminal may say anything about its size, at first and later.
func TestAbsurdSizesAreDrawnAsFarAsPossible(t *testing.T) {
	socket := startServer(t)
	for _, z := range []wire.Size{{}, {Cols: -5, Rows: -5}, {Cols: 1, Rows: 1}, {Cols: 2, Rows: 1}, {Cols: 500, Rows: 2},
		{Cols: 1e9, Rows: 1e9, XPixel: -9, YPixel: 1 << 40}, {Cols: 1<<63 - 1, Rows: 1<<63 - 1}} {
		text, _ := json.Marshal(z)
		said := append(greeting(z), frame(wire.FrameSize, uint32(len(text)), string(text))...)
		r, conn := rawStream(t, socket, said)
		if kind, _, err := wire.ReadFrame(r, nil); err != nil || kind != wire.FrameOutput {
			t.Errorf("%+v: %q, %v", z, kind, err)
		}
		conn.Close()
	}
	attachTerminal(t, socket, 80, 24).sees("PANE")
}

// Programs that end all at once leave nothing behind, and what they wrote last
// is on the screen.
func TestManyProgramsEndAtOnce(t *testing.T) {
	l := testLoop(t)
	client, _ := join(t, l)
	panes := make([]wire.Pane, 40)
	var all sync.WaitGroup
	for i := range panes {
		all.Go(func() { panes[i] = open(t, l, "seq 1 5000; printf LAST; exit 7") })
	}
	all.Wait()
	for _, p := range panes {
		got := untilPane(t, l, p.ID, "end", func(q wire.Pane) bool { return q.Ended })
		if got.ExitCode != 7 {
			t.Errorf("%s: exit %d", p.ID, got.ExitCode)
		}
		untilText(t, l, client, p.ID, "LAST")
		if stat, err := os.ReadFile(filepath.Join("/proc", fmt.Sprint(p.PID), "stat")); err == nil {
			t.Errorf("process %d is still there: %s", p.PID, stat)
		}
	}
}
