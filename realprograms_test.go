package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"deck/term/screen"
	"deck/term/vt"
)

// A realProgram is run in a pane of deck and in tmux alone, at the same size
// and with the same keys; both must show the same.
type realProgram struct {
	name  string
	argv  []string
	steps []realStep
	rows  func([]string) []string // those that do not depend on the moment; nil for all
	plain bool                    // the colours depend on the moment or on the terminal
}

// A realStep types keys, named as tmux names them, and waits for a screen that
// matches.
type realStep struct {
	keys []string
	see  string
}

const (
	realCols = 78
	realRows = 22
)

func realPrograms(file, dir string) []realProgram {
	shell := []string{"env", "PS1=$ ", "bash", "--norc", "--noprofile"}
	return []realProgram{
		{name: "vim", argv: []string{"vim", "-n", "-u", "NONE", "-N", "-c", "syntax on | set nu hls wrap t_RV= | set bg=dark", file}, steps: []realStep{
			{see: `1 package`}, {keys: []string{"C-f", "C-f", "C-e"}, see: `\n *4[0-9] `}, {keys: []string{"/func", "Enter"}, see: `/func`},
			{keys: []string{":vsplit", "Enter", "C-w", "w", "G"}, see: `\|~`},
			{keys: []string{"o", "日本語 é 👩‍👩‍👧 done", "Escape"}, see: `done *\n`}}},
		{name: "vim truecolor", argv: []string{"vim", "-n", "-u", "NONE", "-N", "-c", "syntax on | set t_RV= | let &t_8f=\"\\<Esc>[38;2;%lu;%lu;%lum\"" +
			" | let &t_8b=\"\\<Esc>[48;2;%lu;%lu;%lum\" | set tgc | colorscheme desert", file}, steps: []realStep{
			{see: `package`}, {keys: []string{"C-d", "C-d", "V", "j", "j"}, see: `VISUAL LINE`}}},
		{name: "less", argv: []string{"less", "-N", file}, steps: []realStep{
			{see: `1 package`}, {keys: []string{"Space"}, see: `\n *4[0-9] `}, {keys: []string{"y", "y", "k", "/func", "Enter"}, see: `func`},
			{keys: []string{"G"}, see: `END`}, {keys: []string{"-", "S", "Enter", "Enter"}, see: `END`}}},
		{name: "man page", argv: []string{"sh", "-c", `printf 'N\bNA\bAM\bME\bE\n     d\bde\bec\bck\bk [_\bf_\bl_\ba_\bg_\bs]\n' | less -R -+F`}, steps: []realStep{
			{see: `deck \[flags\]`}}},
		{name: "git log", argv: []string{"git", "-C", dir, "log", "--graph", "--stat", "-p", "--color=always"}, steps: []realStep{
			{see: `change 30`}, {keys: []string{"Space", "Space"}, see: `change 2[0-9]`}, {keys: []string{"b"}, see: `change`}}},
		{name: "bash", argv: shell, steps: []realStep{
			{see: `\$`}, {keys: []string{"seq 1 500", "Enter"}, see: `500\n\$`},
			{keys: []string{`printf '%s\t%s\n' 日本語 é👩‍👩‍👧 a b; printf '%0200d\n' 7`, "Enter"}, see: `0007\n\$`},
			{keys: []string{`for i in 1 2 3 4 7 9 '4:3' 31 44 '38;5;202' '48;2;9;80;120'; do printf '\e['$i'm %s \e[0m' $i; done; echo`, "Enter"}, see: `120\n`},
			{keys: []string{"clear", "Enter"}, see: `^\$ *\n`}, {keys: []string{"echo one two", "C-a", "C-k", "C-y", "Enter"}, see: `\none two`}}},
		{name: "python", argv: []string{"python3", "-q", "-S", "-I"}, steps: []realStep{
			{see: `>>>`}, {keys: []string{"for i in range(40): print(i, '日' * i)", "Enter", "Enter"}, see: `39 日`},
			{keys: []string{"1/0", "Enter"}, see: `ZeroDivision`}}},
		{name: "htop", argv: []string{"htop"}, plain: true, steps: []realStep{{see: `F10`}, {keys: []string{"F1"}, see: `htop`}, {keys: []string{"q"}, see: `F10`}},
			rows: func(all []string) []string { return all[len(all)-1:] }},
		{name: "top", argv: []string{"top"}, plain: true, steps: []realStep{{see: `PID USER`}},
			rows: func(all []string) []string { return all[5:7] }},
	}
}

// TestRealProgramsShowWhatTmuxShows runs programs that people use and compares
// text and styles with tmux's, after every step.
func TestRealProgramsShowWhatTmuxShows(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux")
	}
	lab := newRealLab(t)
	for _, p := range realPrograms(lab.file, lab.dir) {
		t.Run(p.name, func(t *testing.T) {
			if _, err := exec.LookPath(p.argv[0]); err != nil {
				t.Skip("no " + p.argv[0])
			}
			pane := strings.ReplaceAll(p.name, " ", "-")
			lab.run(t, append([]string{"deck", "new", "-n", pane, "--size", fmt.Sprintf("%dx%d", realCols, realRows), "--"}, p.argv...)...)
			lab.tmux(t, append([]string{"new-session", "-d", "-s", pane, "-x", fmt.Sprint(realCols), "-y", fmt.Sprint(realRows), "env", "-u", "TMUX",
				"-u", "TMUX_PANE", "COLORTERM=truecolor"}, p.argv...)...)
			for _, s := range p.steps {
				lab.step(t, p, pane, s)
			}
			lab.tmux(t, "kill-session", "-t", pane)
			lab.run(t, "deck", "close", pane)
		})
	}
}

// realLab is a server of deck and one of tmux, with files to look at.
type realLab struct {
	env               []string
	dir, file, socket string
}

func newRealLab(t *testing.T) *realLab {
	t.Helper()
	run, err := os.MkdirTemp("", "deck")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	l := &realLab{dir: filepath.Join(home, "repo"), file: filepath.Join(home, "file.go"), socket: filepath.Join(run, "tmux")}
	l.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_RUNTIME_DIR=" + run, "XDG_STATE_HOME=" + home + "/state",
		"XDG_CONFIG_HOME=" + home + "/config", "SHELL=/bin/sh", "TERM=xterm-256color", "LANG=C.UTF-8", "GIT_CONFIG_GLOBAL=/dev/null", "LESSHISTFILE=-",
		"COLORTERM=truecolor", "GIT_PAGER=less -R", "LESS="}
	l.run(t, "deck", "new", "-n", "keeper", "--", "cat") // a server without panes ends
	source, err := os.ReadFile("tty_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(l.file, source, 0o600); err != nil {
		t.Fatal(err)
	}
	l.tmux(t, "new-session", "-d", "-x", "20", "-y", "5", "exec cat", ";", "set", "-g", "status", "off", ";", "set", "-g", "default-terminal", "xterm-256color",
		";", "set", "-s", "escape-time", "0")
	t.Cleanup(func() {
		l.tmux(t, "kill-server")
		l.run(t, "deck", "server", "stop")
		_ = os.RemoveAll(run)
	})
	if _, err := exec.LookPath("git"); err == nil {
		l.repository(t)
	}
	return l
}

// repository makes a history of thirty changes, the same everywhere.
func (l *realLab) repository(t *testing.T) {
	t.Helper()
	l.run(t, "git", "init", "-q", "-b", "main", l.dir)
	var b strings.Builder
	for i := range 30 {
		text := fmt.Sprintf("change %d\n", i+1)
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter Ada <ada@example.org> %d +0000\ndata %d\n%s", 1700000000+i, len(text), text)
		body := strings.Repeat("\tline of code { 日本 }\n", 2+i%7) + text
		fmt.Fprintf(&b, "M 100644 inline file%d.txt\ndata %d\n%s\n", i%3, len(body), body)
	}
	cmd := exec.Command("git", "-C", l.dir, "fast-import", "--quiet")
	cmd.Env, cmd.Stdin = l.env, strings.NewReader(b.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v: %s", err, out)
	}
}

func (l *realLab) run(t *testing.T, argv ...string) string {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = l.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v: %s", argv, err, out)
	}
	return string(out)
}

func (l *realLab) tmux(t *testing.T, args ...string) string {
	t.Helper()
	return l.run(t, append([]string{"tmux", "-u", "-f", "/dev/null", "-S", l.socket}, args...)...)
}

// step types a step's keys on both sides and waits until both show what it
// names, and the same.
func (l *realLab) step(t *testing.T, p realProgram, pane string, s realStep) {
	t.Helper()
	for _, key := range s.keys {
		l.tmux(t, "send-keys", "-t", pane, key)
		l.run(t, "deck", "send", pane, key)
	}
	see := regexp.MustCompile(s.see)
	var want, got realScreen
	if eventually(patience/2, func() bool {
		want = readReal(l.tmux(t, "capture-pane", "-p", "-e", "-N", "-t", pane))
		got = readReal(l.run(t, "deck", "peek", "--ansi", pane))
		return see.MatchString(strings.Join(want.text, "\n")) && want.part(p).equal(got.part(p))
	}) == nil {
		return
	}
	if !see.MatchString(strings.Join(want.text, "\n")) {
		t.Fatalf("tmux shows no %s:\n%s", s.see, strings.Join(want.text, "\n"))
	}
	t.Fatalf("after %q, tmux - and deck +:\n%s", s.keys, cmp.Diff(want.part(p), got.part(p), cmp.AllowUnexported(realScreen{})))
}

// realScreen is a screen as rows of text, and the styles of each as runs.
type realScreen struct{ text, style []string }

func (s realScreen) part(p realProgram) realScreen {
	if p.plain {
		s.style = nil
	}
	if p.rows != nil {
		s.text = p.rows(s.text)
	}
	return s
}

func (s realScreen) equal(o realScreen) bool {
	return cmp.Equal(s, o, cmp.AllowUnexported(realScreen{}))
}

// readReal reads rows with escape sequences in them.
func readReal(ansi string) realScreen {
	emu := vt.New(realCols, realRows, vt.Options{})
	emu.Write([]byte(strings.ReplaceAll(strings.TrimSuffix(ansi, "\n"), "\n", "\r\n")))
	var s realScreen
	for y := range realRows {
		var line, runs strings.Builder
		last, pending := screen.Style{}, ""
		for x, c := range emu.Row(y) {
			text, style := emu.Table().Text(c.Char), emu.Table().Style(c.Style)
			if c.Char == screen.Blank {
				text = " "
			}
			line.WriteString(text)
			unseen := text == " " && style.Attr&screen.Reverse == 0 && style.Underline == screen.NoUnderline
			if unseen {
				style = screen.Style{Bg: style.Bg}
			}
			if style != last {
				pending += fmt.Sprintf("%d:%+v ", x, style)
				last = style
			}
			if !unseen { // tmux captures no background of what was erased
				runs.WriteString(pending)
				pending = ""
			}
		}
		s.text = append(s.text, strings.TrimRight(line.String(), " "))
		s.style = append(s.style, runs.String())
	}
	return s
}
