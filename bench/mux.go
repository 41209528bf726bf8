package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// mux is a multiplexer that can be driven. Its server has a socket and folders
// of its own.
type mux interface {
	name() string
	// start attaches a new client, with a first pane of cols×rows that runs
	// argv, to a new server.
	start(cols, rows, history int, argv []string) (*terminal, error)
	// attach adds a client at the far end of a link, nil for none.
	attach(l *link, cols, rows int) (*terminal, error)
	// split parts a pane ("" is the first one) and keeps the focus where it is.
	split(at string, down bool, argv []string) (id string, err error)
	tab(argv []string) error
	// outer returns the terminal's size around a first pane of a size.
	outer(cols, rows int) (int, int)
	serverPID() (int, error)
	stop()
}

// environment is what clients and panes get: nothing of the caller's that a
// multiplexer would act on.
func environment(dir string) []string {
	env := []string{"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "SHELL=/bin/sh", "HOME=" + dir,
		"XDG_CONFIG_HOME=" + dir, "XDG_STATE_HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_RUNTIME_DIR=" + dir}
	if path := os.Getenv("PATH"); path != "" {
		env = append(env, "PATH="+path)
	}
	return env
}

// command runs a program to its end and returns what it printed.
func command(dir string, argv ...string) (string, error) {
	c := exec.Command(argv[0], argv[1:]...)
	c.Env, c.Dir = environment(dir), dir
	out, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

type tmux struct {
	path, dir string
	servers   int // started so far
}

func (t *tmux) name() string { return "tmux" }

// args is a command line for the newest server: each has a socket of its own,
// since the last one may still be ending.
func (t *tmux) args(more ...string) []string {
	socket := filepath.Join(t.dir, fmt.Sprintf("tmux%d.sock", t.servers))
	return append([]string{t.path, "-S", socket, "-f", filepath.Join(t.dir, "tmux.conf")}, more...)
}

// start switches the status line off, so that panes are as large as the
// terminal, and asks for what deck has too: mouse, focus, no wait after ESC.
func (t *tmux) start(cols, rows, history int, argv []string) (*terminal, error) {
	config := "set -g status off\nset -g escape-time 0\nset -g focus-events on\nset -g mouse on\n" +
		"set -g default-terminal tmux-256color\nset -g remain-on-exit on\nset -g history-limit " + strconv.Itoa(history) + "\n"
	if err := os.WriteFile(filepath.Join(t.dir, "tmux.conf"), []byte(config), 0o600); err != nil {
		return nil, err
	}
	t.servers++
	return openTerminal(nil, cols, rows, t.dir, t.args(append([]string{"new-session", "--"}, argv...)...))
}

func (t *tmux) attach(l *link, cols, rows int) (*terminal, error) {
	return openTerminal(l, cols, rows, t.dir, t.args("attach"))
}

func (t *tmux) split(at string, down bool, argv []string) (string, error) {
	way := "-h"
	if down {
		way = "-v"
	}
	if at == "" {
		at = "%0"
	}
	return command(t.dir, t.args(append([]string{"split-window", "-d", way, "-t", at, "-P", "-F", "#{pane_id}", "--"}, argv...)...)...)
}

func (t *tmux) tab(argv []string) error {
	_, err := command(t.dir, t.args(append([]string{"new-window", "-d", "--"}, argv...)...)...)
	return err
}

func (t *tmux) outer(cols, rows int) (int, int) { return cols, rows }

func (t *tmux) serverPID() (int, error) {
	out, err := command(t.dir, t.args("display-message", "-p", "#{pid}")...)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(out)
}

func (t *tmux) stop() { _, _ = command(t.dir, t.args("kill-server")...) }

type deck struct {
	path, dir              string
	servers                int // started so far
	chromeCols, chromeRows int
}

func (d *deck) name() string { return "deck" }

func (d *deck) args(more ...string) []string {
	return append([]string{d.path, "-L", filepath.Join(d.dir, fmt.Sprintf("deck%d.sock", d.servers))}, more...)
}

func (d *deck) start(cols, rows, history int, argv []string) (*terminal, error) {
	config := filepath.Join(d.dir, "deck", "config.toml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(config, fmt.Appendf(nil, "history = %d\n", history), 0o600); err != nil {
		return nil, err
	}
	d.servers++
	cols, rows = d.outer(cols, rows)
	return openTerminal(nil, cols, rows, d.dir, d.args(append([]string{"attach", "--new", "--"}, argv...)...))
}

func (d *deck) attach(l *link, cols, rows int) (*terminal, error) {
	cols, rows = d.outer(cols, rows)
	return openTerminal(l, cols, rows, d.dir, d.args("attach"))
}

func (d *deck) split(at string, down bool, argv []string) (string, error) {
	way := "right"
	if down {
		way = "down"
	}
	words := []string{"new", "--json", "--split", way}
	if at != "" {
		words = append(words, "--at", at)
	}
	out, err := command(d.dir, d.args(append(append(words, "--"), argv...)...)...)
	if err != nil {
		return "", err
	}
	var made struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal([]byte(out), &made); err != nil {
		return "", fmt.Errorf("deck new --json: %w", err)
	}
	return made.ID, nil
}

func (d *deck) tab(argv []string) error {
	_, err := command(d.dir, d.args(append([]string{"new", "--tab", "--"}, argv...)...)...)
	return err
}

func (d *deck) outer(cols, rows int) (int, int) { return cols + d.chromeCols, rows + d.chromeRows }

func (d *deck) serverPID() (int, error) {
	out, err := command(d.dir, d.args("server", "status", "--json")...)
	if err != nil {
		return 0, err
	}
	var s struct {
		PID int `json:"pid"`
	}
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		return 0, err
	}
	return s.PID, nil
}

func (d *deck) stop() { _, _ = command(d.dir, d.args("server", "stop")...) }

// measureChrome returns by how much deck's terminal is larger than its first
// pane.
func (d *deck) measureChrome(b *bench) (cols, rows int, err error) {
	defer d.stop()
	t, err := d.start(b.cols, b.rows, 100, b.pane("idle"))
	if err != nil {
		return 0, 0, err
	}
	defer t.close()
	if err := t.wait(startLimit); err != nil {
		return 0, 0, err
	}
	t.settle(300*time.Millisecond, startLimit)
	out, err := command(d.dir, d.args("ls", "--json")...)
	if err != nil {
		return 0, 0, err
	}
	var panes []struct{ Cols, Rows int }
	if err := json.Unmarshal([]byte(out), &panes); err != nil || len(panes) == 0 {
		return 0, 0, fmt.Errorf("deck ls --json: %q: %w", out, err)
	}
	return b.cols - panes[0].Cols, b.rows - panes[0].Rows, nil
}
