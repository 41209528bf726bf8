package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"deck/term/wire"
	"deck/ui/cli"
)

// patience is how long a script waits for what must come. A loaded machine is
// slow; what is right comes at once.
const patience = 30 * time.Second

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"deck": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs testdata/script, each script with folders, a server and a
// mark of its own. What a script leaves behind fails it.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		Setup:               setupScript,
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"tty":     cmdTTY,
			"see":     cmdSee,
			"type":    cmdType,
			"size":    cmdSize,
			"left":    cmdLeft,
			"signal":  cmdSignal,
			"stops":   cmdStops,
			"murder":  cmdKillServer,
			"peeks":   cmdPeeks,
			"count":   cmdCount,
			"listen":  cmdListen,
			"status":  cmdStatus,
			"clients": cmdClients,
			"until":   cmdUntil,
			"holds":   cmdHolds,
			"field":   cmdField,
			"does":    cmdDoes,
			"asks":    cmdAsks,
		},
	})
}

// setupScript gives a script an environment in which nothing of the person who
// runs the tests is left. Sockets have short paths, whatever the test's is.
func setupScript(env *testscript.Env) error {
	run, err := os.MkdirTemp("", "deck")
	if err != nil {
		return err
	}
	home := filepath.Join(env.WorkDir, "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		return err
	}
	repo, err := os.Getwd()
	if err != nil {
		return err
	}
	env.Vars = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "WORK=" + env.WorkDir, "TMPDIR=" + os.TempDir(),
		"XDG_RUNTIME_DIR=" + run, "XDG_STATE_HOME=" + home + "/state", "XDG_CONFIG_HOME=" + home + "/config",
		"XDG_DATA_HOME=" + home + "/data", "SHELL=/bin/sh", "PS1=$ ", "TERM=xterm-256color", "LANG=C.UTF-8",
		"SOCKETS=" + run + "/deck", "SCRIPT_MARK=" + filepath.Base(run), "REPO=" + repo, "devnull=/dev/null", "exe=", "/=/",
	}
	env.Values[stateKey{}] = &scriptState{ttys: map[string]*screenTTY{}}
	env.Defer(func() {
		defer os.RemoveAll(run)
		for _, tty := range env.Values[stateKey{}].(*scriptState).ttys {
			tty.close()
		}
		stopServers(run + "/deck")
		if left := processes(filepath.Base(run)); len(left) > 0 {
			for _, pid := range left {
				line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				env.T().Log(strings.ReplaceAll(string(line), "\x00", " "))
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
			env.T().Fatal("processes are left: ", left)
		}
	})
	return nil
}

// stateKey is the key of a script's scriptState.
type stateKey struct{}

// scriptState is what a script's commands share.
type scriptState struct {
	ttys map[string]*screenTTY
	done map[string]bool // commands of the skill that were run
}

func stopServers(dir string) {
	sockets, _ := filepath.Glob(dir + "/*.sock")
	for _, s := range sockets {
		c := wire.Open(s, "")
		_ = c.Stop(testContext(patience))
		c.Close()
	}
}

// processes returns those with a script's mark in their environment, after
// they had time to end.
func processes(mark string) []int {
	var left []int
	_ = eventually(patience/3, func() bool {
		left = left[:0]
		all, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, file := range all {
			b, _ := os.ReadFile(file)
			if strings.Contains(string(b), "SCRIPT_MARK="+mark) {
				pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
				left = append(left, pid)
			}
		}
		return len(left) == 0
	})
	return left
}

var errPatience = errors.New("it never came")

// eventually asks again until the answer is yes. It is for what other processes
// do, which tell nobody.
func eventually(limit time.Duration, yes func() bool) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	late := time.After(limit)
	for !yes() {
		select {
		case <-tick.C:
		case <-late:
			return errPatience
		}
	}
	return nil
}

// serverOf opens the server that a script's environment means.
func serverOf(ts *testscript.TestScript) *wire.Conn {
	if s := ts.Getenv("DECK_SOCKET"); s != "" {
		return wire.Open(s, "")
	}
	return wire.Open(filepath.Join(ts.Getenv("SOCKETS"), "default.sock"), "")
}

// cmdKillServer is "murder SIGNAL": a signal to the server, which is waited for.
func cmdKillServer(ts *testscript.TestScript, _ bool, args []string) {
	c := serverOf(ts)
	defer c.Close()
	h, err := c.Hello(testContext(patience))
	ts.Check(err)
	ts.Check(syscall.Kill(h.PID, signalOf(ts, args[0])))
	ts.Check(eventually(patience, func() bool {
		_, err := c.Hello(testContext(patience))
		return errors.Is(err, wire.ErrNoServer)
	}))
}

// cmdPeeks is "peeks PANE REGEXP": waits until a pane shows a text.
func cmdPeeks(ts *testscript.TestScript, _ bool, args []string) {
	c := serverOf(ts)
	defer c.Close()
	re := regexp.MustCompile("(?m)" + args[1])
	var last string
	err := eventually(patience, func() bool {
		p, err := c.Peek(testContext(patience), wire.Peek{Target: args[0]})
		ts.Check(err)
		last = strings.Join(p.Lines, "\n")
		return re.MatchString(last)
	})
	if err != nil {
		ts.Fatalf("pane %s shows no %s:\n%s", args[0], args[1], last)
	}
}

// cmdCount is "count N FILE REGEXP": how often something matches in a file, or
// in the last command's output as "stdout" or "stderr".
func cmdCount(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := len(regexp.MustCompile("(?m)"+args[2]).FindAllString(ts.ReadFile(args[1]), -1))
	if got != n {
		ts.Fatalf("%d matches of %s, not %d", got, args[2], n)
	}
}

// cmdListen is "listen PATH": a socket that nobody listens on any more.
func cmdListen(ts *testscript.TestScript, _ bool, args []string) {
	path := ts.MkAbs(args[0])
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	ts.Check(err)
	ts.Check(syscall.Bind(fd, &syscall.SockaddrUnix{Name: path}))
	ts.Check(syscall.Close(fd))
}

// cmdStatus is "status N PROGRAM ARGS...": runs a program that ends with that
// exit status.
func cmdStatus(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Check(err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, not %s", got, args[0])
	}
}

// cmdUntil is "until REGEXP": waits until a line of the server's events
// matches; the first one tells everything there is.
func cmdUntil(ts *testscript.TestScript, _ bool, args []string) {
	c := serverOf(ts)
	defer c.Close()
	w, err := c.Events(testContext(patience))
	ts.Check(err)
	defer w.Close()
	for re := regexp.MustCompile(args[0]); ; {
		_, line, err := w.Next()
		if err != nil {
			ts.Fatalf("no event %s: %v", args[0], err)
		}
		if re.Match(line) {
			return
		}
	}
}

// cmdClients is "clients N": waits until so many clients are attached.
func cmdClients(ts *testscript.TestScript, _ bool, args []string) {
	c := serverOf(ts)
	defer c.Close()
	var clients []wire.Client
	if eventually(patience, func() bool {
		var err error
		clients, err = c.Clients(testContext(patience))
		ts.Check(err)
		return strconv.Itoa(len(clients)) == args[0]
	}) != nil {
		ts.Fatalf("clients: %+v", clients)
	}
}

// cmdHolds is "holds FILE REGEXP": waits until a file that another process
// writes has a text in it.
func cmdHolds(ts *testscript.TestScript, _ bool, args []string) {
	re := regexp.MustCompile("(?m)" + args[1])
	var last []byte
	if eventually(patience, func() bool {
		last, _ = os.ReadFile(ts.MkAbs(args[0]))
		return re.Match(last)
	}) != nil {
		ts.Fatalf("%s holds no %s:\n%s", args[0], args[1], last)
	}
}

// cmdField is "field NAME VARIABLE INDEX": sets a variable to a field of a row
// of the JSON that the last command printed.
func cmdField(ts *testscript.TestScript, _ bool, args []string) {
	var rows []map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &rows))
	i, err := strconv.Atoi(args[2])
	ts.Check(err)
	ts.Setenv(args[1], fmt.Sprint(rows[i][args[0]]))
}
