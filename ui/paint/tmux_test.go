package paint

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"deck/term/screen"
)

// TestTmuxShowsTheCanvas paints into a pane of a real tmux and compares what it
// captures, text and styles.
func TestTmuxShowsTheCanvas(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux")
	}
	prof := Detect(env("TERM=tmux-256color", "LANG=C.UTF-8"))
	prof.Links = false // tmux does not capture them
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			const w, h = 80, 24
			s := &scene{r: rand.New(rand.NewPCG(seed, 3)), c: screen.NewCanvas(w, h), plain: true, panes: seed%2 == 1}
			p := New(prof, w, h)
			out := bytes.NewBuffer(p.Enter())
			for i := range 60 {
				s.step()
				out.Write(p.Paint(s.c, s.cursor(), fmt.Sprint("step ", i)))
			}
			out.Write(p.Paint(s.c, screen.Cursor{X: 3, Y: 4, Visible: true}, "the end"))
			got := screen.NewCanvas(w, h)
			DrawBlock(got, 0, 0, w, h, tmuxCapture(t, out.Bytes(), w, h))
			compareCaptured(t, expect(s.c, prof, w, h), got)
		})
	}
}

// tmuxCapture returns what a pane shows after the bytes, which end with setting
// the title "the end".
func tmuxCapture(t *testing.T, frames []byte, w, h int) string {
	t.Helper()
	dir := t.TempDir()
	file, socket := filepath.Join(dir, "frames"), filepath.Join(dir, "s")
	if err := os.WriteFile(file, frames, 0o600); err != nil {
		t.Fatal(err)
	}
	tmux := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("tmux", append([]string{"-u", "-f", "/dev/null", "-S", socket}, args...)...)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", "SHELL=/bin/sh", "HOME=" + dir}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %v: %v: %s", args, err, out)
		}
		return string(out)
	}
	tmux("new-session", "-d", "-x", fmt.Sprint(w), "-y", fmt.Sprint(h+1), "stty raw -echo; cat "+file+"; exec cat >/dev/null",
		";", "set", "-g", "status", "on")
	defer tmux("kill-server")
	deadline := time.Now().Add(20 * time.Second)
	for !strings.Contains(tmux("display", "-p", "#{pane_title} #{cursor_x},#{cursor_y}"), "the end 3,4") {
		if time.Now().After(deadline) {
			t.Fatalf("tmux is not done: %s", tmux("display", "-p", "#{pane_title} #{cursor_x},#{cursor_y}"))
		}
	}
	// tmux 3.3 writes the 53 of an overline as if it were a 5 with a subparameter.
	return strings.NewReplacer(";5:3;", ";53;", "[5:3;", "[53;", ";5:3m", ";53m", "[5:3m", "[53m").
		Replace(tmux("capture-pane", "-p", "-e", "-N"))
}

func compareCaptured(t *testing.T, want []modelCell, got *screen.Canvas) {
	t.Helper()
	for i, w := range want {
		c := got.Cells[i]
		g := modelCell{Text: got.Table.Text(c.Char), Style: got.Table.Style(c.Style)}
		if diff := cmp.Diff(w, look(g)); diff != "" {
			t.Fatalf("cell %d,%d: %s", i%got.W, i/got.W, diff)
		}
	}
}
