package vt

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"deck/term/screen"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden screens")

const recordings = "../../testdata/tty"

// sizes of the recordings that are not of 80 columns and 24 rows. A recording
// is what a program wrote to a pty of that size, as script -q keeps it.
var sizes = map[string][2]int{
	"vim_narrow": {40, 12}, "htop": {100, 20}, "git_log": {72, 20}, "git_diff_less": {80, 16}, "bash": {60, 12},
	"tmux": {80, 20}, "clear_loop": {60, 14},
}

func eachRecording(t *testing.T, f func(t *testing.T, name string, data []byte, e *Emulator)) {
	files, err := filepath.Glob(recordings + "/*.in")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".in")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			size, ok := sizes[name]
			if !ok {
				size = [2]int{80, 24}
			}
			e := New(size[0], size[1], Options{History: 1000})
			e.Write(data)
			f(t, name, data, e)
		})
	}
}

// TestRecordings replays what real programs wrote and compares the screen, the
// history and the modes with a golden file: text, under each row a mask of
// letters for its styles, and what the letters stand for.
func TestRecordings(t *testing.T) {
	t.Parallel()
	eachRecording(t, func(t *testing.T, name string, _ []byte, e *Emulator) {
		got := golden(e)
		file := filepath.Join(recordings, name+".screen")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Error(d)
		}
	})
}

func golden(e *Emulator) string {
	var b strings.Builder
	letters := map[screen.Style]byte{{}: '.'}
	var legend []string
	row := func(cells []screen.Cell, wrapped bool) {
		var text, mask strings.Builder
		for _, c := range cells {
			text.WriteString(e.Table().Text(c.Char))
			s := e.Table().Style(c.Style)
			if letters[s] == 0 {
				letters[s] = byte('a' + len(legend)%26)
				legend = append(legend, fmt.Sprintf("%c %s", letters[s], styleText(s)))
			}
			mask.WriteByte(letters[s])
		}
		fmt.Fprintf(&b, "|%s\n", strings.TrimRight(text.String(), " "))
		if m := strings.TrimRight(mask.String(), "."); m != "" {
			fmt.Fprintf(&b, " %s\n", m)
		}
		if wrapped {
			b.WriteString("\\\n")
		}
	}
	cols, rows := e.Size()
	c := e.Cursor()
	fmt.Fprintf(&b, "%dx%d cursor %d,%d visible %v shape %d title %q\n%+v\n", cols, rows, c.X, c.Y, c.Visible, c.Shape, e.Title(), e.Modes())
	b.WriteString("history\n")
	var buf []screen.Cell
	for i := range e.HistoryLen() {
		var wrapped bool
		buf, wrapped = e.HistoryRow(i, buf)
		row(buf, wrapped)
	}
	b.WriteString("screen\n")
	for y := range rows {
		row(e.Row(y), e.Wrapped(y))
	}
	b.WriteString(strings.Join(append(legend, ""), "\n"))
	return b.String()
}

func styleText(s screen.Style) string {
	return fmt.Sprintf("fg=%s bg=%s attr=%b ul=%d%s", s.Fg, s.Bg, s.Attr, s.Underline, s.UnderlineColor)
}

// TestRecordingsInTmux compares the text of each recording's screen with what
// tmux shows after the same bytes.
func TestRecordingsInTmux(t *testing.T) {
	t.Parallel()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	eachRecording(t, func(t *testing.T, name string, data []byte, e *Emulator) {
		dir := t.TempDir()
		run := func(args ...string) string {
			cmd := exec.CommandContext(t.Context(), tmux, append([]string{"-S", filepath.Join(dir, "s"), "-f", os.DevNull}, args...)...)
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TERM=xterm-256color"}
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("tmux %s: %v: %s", args[0], err, out)
			}
			return string(out)
		}
		file, err := filepath.Abs(filepath.Join(recordings, name+".in"))
		if err != nil {
			t.Fatal(err)
		}
		// Once tmux has answered as many questions for the position as there
		// are, one more included, it has read everything before the last one.
		asked := bytes.Count(data, []byte("\x1b[6n")) + bytes.Count(data, []byte("\x1b[?6n")) + 1
		feed := fmt.Sprintf(`stty raw -echo; cat %q; printf '\033[6n'; for ((i=0;i<%d;i++)); do IFS= read -r -d R; done; %q -S %q wait-for -S drawn; exec cat >/dev/null`,
			file, asked, tmux, filepath.Join(dir, "s"))
		cols, rows := e.Size()
		run("new-session", "-d", "-x", fmt.Sprint(cols), "-y", fmt.Sprint(rows), bash, "-c", "IFS= read -r go; "+feed)
		defer run("kill-server")
		run("set", "-g", "status", "off")
		run("resize-window", "-x", fmt.Sprint(cols), "-y", fmt.Sprint(rows))
		run("send-keys", "Enter")
		run("wait-for", "drawn")
		want := strings.TrimRight(run("capture-pane", "-p"), "\n")
		got := strings.TrimRight(strings.ReplaceAll(lines(e), "|", "\n"), "\n")
		if d := cmp.Diff(strings.ReplaceAll(want, "|", "\n"), got); d != "" {
			t.Errorf("(-tmux +deck):\n%s", d)
		}
	})
}
