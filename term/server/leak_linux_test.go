package server

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"deck/lifecycle"
	"deck/term/wire"
)

// ownServer starts a server in a process of its own.
func ownServer(t *testing.T) (socket string, conn *wire.Conn) {
	t.Helper()
	socket = filepath.Join(ownFolders(t), "s")
	if err := Ensure(t.Context(), Options{Socket: socket}); err != nil {
		t.Fatal(err)
	}
	stopAfter(t, socket)
	conn = wire.Open(socket, "")
	t.Cleanup(conn.Close)
	return socket, conn
}

// burden is what a server has to carry.
type burden struct {
	goroutines, files int
	memory            uint64
}

func burdenOf(t *testing.T, conn *wire.Conn) burden {
	t.Helper()
	st, err := conn.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", st.PID))
	if err != nil {
		t.Fatal(err)
	}
	return burden{st.Goroutine, len(files), st.Memory}
}

// unburdened waits until a server carries no more than it did.
func unburdened(t *testing.T, conn *wire.Conn, before burden) {
	t.Helper()
	const spare = 3 // of the connection that asks
	var now burden
	defer func() {
		if t.Failed() {
			t.Logf("%+v became %+v", before, now)
		}
	}()
	eventually(t, "the server to carry no more than before", func() bool {
		now = burdenOf(t, conn)
		return now.goroutines <= before.goroutines+spare && now.files <= before.files+spare
	})
}

// TestWhoVanishesLeavesNothing has clients that are gone in the middle of a frame,
// and requests that nobody waits for any more.
func TestWhoVanishesLeavesNothing(t *testing.T) {
	socket, conn := ownServer(t)
	p, err := conn.NewPane(t.Context(), wire.NewPane{Agent: "claude",
		Command: []string{"/bin/sh", "-c", `while :; do printf '\033[?1049h\033[2J%080d\033[?1049l' 1; done`}})
	if err != nil {
		t.Fatal(err)
	}
	vanish := func(clients, waits int) {
		for range clients {
			r, c := rawStream(t, socket, greeting(wire.Size{Cols: 120, Rows: 40}))
			if kind, _, err := wire.ReadFrame(r, nil); err != nil || kind != wire.FrameOutput {
				t.Fatalf("%q, %v", kind, err)
			}
			c.Close()
		}
		body, _ := json.Marshal(wire.AgentWait{Target: p.ID, Until: []lifecycle.State{lifecycle.Dead}})
		for range waits {
			c, err := net.Dial("unix", socket)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = fmt.Fprintf(c, "POST /v1/agents/wait HTTP/1.1\r\nHost: deck\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
			c.Close()
		}
	}
	vanish(1, 1)
	noClients(t, socket)
	before := burdenOf(t, conn)
	vanish(100, 300)
	unburdened(t, conn, before)
	noClients(t, socket)
}

// TestALongDayLeavesNothing opens, reports, resizes and closes, again and again.
func TestALongDayLeavesNothing(t *testing.T) {
	socket, conn := ownServer(t)
	if _, err := conn.NewPane(t.Context(), wire.NewPane{Command: []string{"/bin/cat"}}); err != nil {
		t.Fatal(err)
	}
	day := func() {
		p, token := tokenPane(t, socket, "claude")
		tr := &http.Transport{DialContext: dialer(socket)}
		client := &http.Client{Transport: tr}
		for i := range 200 {
			postWith(t, client, token, fmt.Sprintf(`{"source":"custom:x%d","agent":"claude","state":%q}`, i%40, []string{"working", "idle"}[i%2]))
			if err := conn.Resize(t.Context(), wire.Resize{Target: p.ID, Cols: 20 + i, Rows: 5 + i%40}); err != nil {
				t.Fatal(err)
			}
		}
		tr.CloseIdleConnections()
		if err := conn.ClosePane(t.Context(), wire.Close{Target: p.ID}); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				q, err := conn.NewPane(t.Context(), wire.NewPane{Command: []string{"/bin/sh", "-c", "seq 1 2000"}})
				if err == nil {
					err = conn.ClosePane(t.Context(), wire.Close{Target: q.ID})
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	for range 3 {
		day()
	}
	before := burdenOf(t, conn)
	for range 6 {
		day()
	}
	unburdened(t, conn, before)
	after := burdenOf(t, conn)
	t.Logf("%+v became %+v", before, after)
	if after.memory > before.memory*13/10+8<<20 {
		t.Error("memory grows")
	}
}
