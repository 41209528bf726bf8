package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/term"

	"deck/term/screen"
	"deck/term/vt"
)

// screenTTY is a terminal with a program in it, as a person would have: it
// shows what is written and answers what it is asked.
type screenTTY struct {
	master, slave *os.File
	before        term.State
	cmd           *exec.Cmd
	exited        chan struct{}
	changed       chan struct{} // capacity 1

	mu  sync.Mutex
	emu *vt.Emulator // guarded by mu
}

// cmdTTY is "tty NAME COLSxROWS PROGRAM ARGS...": starts a program in a
// terminal.
func cmdTTY(ts *testscript.TestScript, _ bool, args []string) {
	cols, rows := sizeOf(ts, args[1])
	master, slave, err := pty.Open()
	ts.Check(err)
	ts.Check(pty.Setsize(master, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)}))
	before, err := term.GetState(int(slave.Fd()))
	ts.Check(err)
	t := &screenTTY{master: master, slave: slave, before: *before, emu: vt.New(cols, rows, vt.Options{}),
		exited: make(chan struct{}), changed: make(chan struct{}, 1)}
	t.cmd = exec.Command(args[2], args[3:]...)
	t.cmd.Stdin, t.cmd.Stdout, t.cmd.Stderr = slave, slave, slave
	t.cmd.Dir = ts.Getenv("WORK")
	t.cmd.Env = environOf(ts)
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	ts.Check(t.cmd.Start())
	go t.show()
	go func() {
		_ = t.cmd.Wait()
		close(t.exited)
	}()
	ts.Value(stateKey{}).(*scriptState).ttys[args[0]] = t
}

// environOf is a script's environment; the names are those of setupScript and
// what scripts set.
func environOf(ts *testscript.TestScript) []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "WORK", "TMPDIR", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
		"XDG_DATA_HOME", "SHELL", "PS1", "TERM", "LANG", "SCRIPT_MARK", "DECK_SOCKET", "DECK_PANE_ID", "LC_ALL"} {
		if v := ts.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// show is the terminal itself.
func (t *screenTTY) show() {
	buf := make([]byte, 32<<10)
	for {
		n, err := t.master.Read(buf)
		if err != nil {
			return
		}
		t.mu.Lock()
		t.emu.Write(buf[:n])
		t.emu.TakeEvents()
		answer := t.emu.TakeReplies(nil)
		t.mu.Unlock()
		if len(answer) > 0 {
			_, _ = t.master.Write(answer)
		}
		select {
		case t.changed <- struct{}{}:
		default:
		}
	}
}

// text returns the rows without trailing blanks.
func (t *screenTTY) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	_, rows := t.emu.Size()
	for y := range rows {
		var line strings.Builder
		for _, c := range t.emu.Row(y) {
			if c.Char == screen.Blank {
				line.WriteByte(' ')
				continue
			}
			line.WriteString(t.emu.Table().Text(c.Char))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

func (t *screenTTY) close() {
	_ = t.cmd.Process.Kill()
	<-t.exited
	t.slave.Close()
	t.master.Close()
}

func ttyOf(ts *testscript.TestScript, name string) *screenTTY {
	t := ts.Value(stateKey{}).(*scriptState).ttys[name]
	if t == nil {
		ts.Fatalf("no terminal %s", name)
	}
	return t
}

// cmdSee is "[!] see NAME REGEXP": waits until the terminal shows a text, or
// does not.
func cmdSee(ts *testscript.TestScript, neg bool, args []string) {
	t := ttyOf(ts, args[0])
	re := regexp.MustCompile("(?m)" + args[1])
	late := time.After(patience)
	for re.MatchString(t.text()) == neg {
		select {
		case <-t.changed:
		case <-late:
			ts.Fatalf("terminal %s and %s:\n%s", args[0], args[1], t.text())
		}
	}
}

// cmdType is "type NAME TEXT...": keys, with Go's escapes.
func cmdType(ts *testscript.TestScript, _ bool, args []string) {
	text, err := strconv.Unquote(`"` + strings.Join(args[1:], " ") + `"`)
	ts.Check(err)
	_, err = ttyOf(ts, args[0]).master.WriteString(text)
	ts.Check(err)
}

// cmdSize is "size NAME COLSxROWS": a person drags the window's corner.
func cmdSize(ts *testscript.TestScript, _ bool, args []string) {
	t := ttyOf(ts, args[0])
	cols, rows := sizeOf(ts, args[1])
	t.mu.Lock()
	t.emu.Resize(cols, rows)
	t.mu.Unlock()
	ts.Check(pty.Setsize(t.master, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)}))
}

// cmdSignal is "signal NAME SIGNAL": a signal to the program in the terminal.
func cmdSignal(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(ttyOf(ts, args[0]).cmd.Process.Signal(signalOf(ts, args[1])))
}

// cmdStops is "stops NAME": waits until the program in the terminal is stopped,
// where the system tells.
func cmdStops(ts *testscript.TestScript, _ bool, args []string) {
	stat := fmt.Sprintf("/proc/%d/stat", ttyOf(ts, args[0]).cmd.Process.Pid)
	if eventually(patience, func() bool {
		b, err := os.ReadFile(stat)
		return err != nil || strings.Contains(string(b), ") T ")
	}) != nil {
		ts.Fatalf("the program in %s is not stopped", args[0])
	}
}

// cmdLeft is "left NAME STATUS": the program ends, with that exit status, and
// the terminal is as it was before.
func cmdLeft(ts *testscript.TestScript, _ bool, args []string) {
	t := ttyOf(ts, args[0])
	select {
	case <-t.exited:
	case <-time.After(patience):
		ts.Fatalf("the program in %s does not end:\n%s", args[0], t.text())
	}
	if got := strconv.Itoa(t.cmd.ProcessState.ExitCode()); got != args[1] {
		ts.Fatalf("exit status %s, not %s:\n%s", got, args[1], t.text())
	}
	if after, err := term.GetState(int(t.slave.Fd())); err != nil || *after != t.before {
		ts.Fatalf("the terminal's modes are %+v, were %+v (%v)", after, t.before, err)
	}
	// What the program wrote last may still be on its way to the emulator.
	err := eventually(patience, func() bool {
		t.mu.Lock()
		defer t.mu.Unlock()
		m := t.emu.Modes()
		m.CellW, m.CellH, m.AltScroll = 0, 0, vt.New(2, 2, vt.Options{}).Modes().AltScroll
		return m == vt.New(2, 2, vt.Options{}).Modes() && t.emu.Cursor().Visible
	})
	if err != nil {
		ts.Fatalf("the terminal is left in %+v, cursor %+v", t.emu.Modes(), t.emu.Cursor())
	}
}

func sizeOf(ts *testscript.TestScript, s string) (cols, rows int) {
	c, r, _ := strings.Cut(s, "x")
	cols, err := strconv.Atoi(c)
	ts.Check(err)
	rows, err = strconv.Atoi(r)
	ts.Check(err)
	return cols, rows
}

func signalOf(ts *testscript.TestScript, name string) syscall.Signal {
	s, ok := map[string]syscall.Signal{"KILL": syscall.SIGKILL, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP,
		"INT": syscall.SIGINT, "STOP": syscall.SIGSTOP, "CONT": syscall.SIGCONT, "TSTP": syscall.SIGTSTP}[name]
	if !ok {
		ts.Fatalf("unknown signal %s", name)
	}
	return s
}

// testContext is a context for one request of a script's command.
func testContext(d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	context.AfterFunc(ctx, cancel)
	return ctx
}
