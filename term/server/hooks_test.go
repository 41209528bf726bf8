package server

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"deck/lifecycle"
	"deck/term/wire"
)

// TestHooksOfAnAgentWithinAnAgentAreOutside starts real processes under an
// agent's name and asks whose a process is that the innermost has started.
func TestHooksOfAnAgentWithinAnAgentAreOutside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	for _, name := range []string{"claude", "codex"} {
		if err := os.Symlink(bash, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	const hook = `sleep 600 & echo $!; wait`
	for name, c := range map[string]struct {
		chain []string // the outermost program first
		want  bool
	}{
		"no agent":                   {[]string{"bash"}, false},
		"an agent":                   {[]string{"bash", "claude"}, false},
		"an agent's shell":           {[]string{"claude", "bash"}, false},
		"a launcher":                 {[]string{"codex", "codex"}, false},
		"an agent within itself":     {[]string{"claude", "bash", "claude"}, true},
		"one that a shell became":    {[]string{"codex", "&codex"}, true},
		"an agent within another":    {[]string{"codex", "bash", "bash", "claude", "bash"}, true},
		"the daemon of every pane":   {[]string{"codex app-server --listen unix:// --managed-daemon"}, true},
		"an app server of one's own": {[]string{"codex app-server"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := outsider(startChain(t, dir, c.chain, hook)); got != c.want {
				t.Errorf("%v: got %v", c.chain, got)
			}
		})
	}
}

// TestWhatAHookHasSentCountsWhenItHasLeft sends a report and hangs up.
func TestWhatAHookHasSentCountsWhenItHasLeft(t *testing.T) {
	socket := startServer(t)
	p, token := tokenPane(t, socket, "claude")
	body := `{"source":"integration:claude","agent":"claude","state":"needs-input","reason":"question"}`
	c, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(c, "POST /v1/agent-reports HTTP/1.1\r\nHost: deck\r\n%s: %s\r\nContent-Length: %d\r\n\r\n%s", wire.TokenHeader, token, len(body), body)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	conn := wire.Open(socket, "")
	t.Cleanup(conn.Close)
	got, err := conn.WaitAgent(t.Context(), wire.AgentWait{Target: p.ID, Until: []lifecycle.State{lifecycle.NeedsInput}, Timeout: 30_000})
	if err != nil || got.Outcome != "reached" {
		t.Errorf("%+v %v", got, err)
	}
}

// startChain starts programs, each by the one before it and with & in a process
// group of its own, and returns the process that the script of the last one names.
func startChain(t *testing.T, dir string, chain []string, script string) int {
	t.Helper()
	path := func(name string) string {
		if name == "bash" {
			return name
		}
		return filepath.Join(dir, name)
	}
	text := script
	for i := len(chain) - 1; i > 0; i-- {
		name, own := strings.CutPrefix(chain[i], "&")
		if text = path(name) + " -c " + quote(text) + "; exit"; own {
			text = "set -m; " + text
		}
	}
	name, args, _ := strings.Cut(chain[0], " ")
	cmd := exec.Command(path(name), append([]string{"-c", text}, strings.Fields(args)...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	pid, _ := strconv.Atoi(strings.TrimSpace(line))
	t.Cleanup(func() {
		if p, err := os.FindProcess(pid); err == nil && pid > 1 {
			_ = p.Kill() // the others end with it
		}
		_ = cmd.Wait()
	})
	if err != nil || pid <= 1 {
		t.Fatalf("the chain did not start: %q %v", line, err)
	}
	return pid
}

// quote makes one word of a text for a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
