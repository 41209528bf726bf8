package server

import (
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"deck/hooks"
	"deck/term/wire"
)

// Options says which server is meant: the one to run, or the one to start for a
// client. Both sides fill it in the same way.
type Options struct {
	Socket  string     // path of the socket, from SocketPath
	Version string     // of this build; empty: wire.Version
	Config  string     // path of the configuration; empty: ConfigPath
	Log     string     // path of the log file; empty: from LogPath
	Level   slog.Level // what is logged; DECK_LOG overrides it
	// Procs is runtime.GOMAXPROCS where the process is the server's alone, which
	// then takes fewer processors while it has little to do; nil leaves them.
	Procs func(int) int
}

// withDefaults fills in what was left empty.
func (o Options) withDefaults() Options {
	if o.Version == "" {
		o.Version = wire.Version
	}
	if o.Config == "" {
		o.Config = ConfigPath()
	}
	if o.Log == "" {
		o.Log = LogPath(o.Socket)
	}
	return o
}

// name is what a server is called in its log and in the names of its files: the
// socket's own, without its ending.
func (o Options) name() string {
	return strings.TrimSuffix(filepath.Base(o.Socket), ".sock")
}

// statePath is how the paths of what this server keeps begin. Two servers may
// have the same name in different folders.
func (o Options) statePath() string {
	name := o.name()
	if dir := filepath.Dir(o.Socket); dir != socketFolder() {
		sum := sha256.Sum256([]byte(dir))
		name += "-" + hex.EncodeToString(sum[:4])
	}
	return xdg("XDG_STATE_HOME", ".local/state", "deck", name)
}

// reporter is the program that the hooks of agents call: a small one beside this
// one, else this one.
func reporter() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	return hooks.Reporter(strings.TrimSuffix(exe, " (deleted)"), executable)
}

// beside returns the path of a file next to the socket.
func (o Options) beside(ending string) string {
	return strings.TrimSuffix(o.Socket, ".sock") + ending
}

// LogPath returns where the server of a socket writes its log:
// $XDG_STATE_HOME/deck/NAME.log, else under ~/.local/state.
func LogPath(socket string) string {
	return xdg("XDG_STATE_HOME", ".local/state", "deck", Options{Socket: socket}.name()+".log")
}
