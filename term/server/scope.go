package server

import (
	"context"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// unitFlag names the scope on systemd-run's command line.
const unitFlag = "--unit="

// chooseWay decides how a server leaves the login that starts it. The command
// it returns, if any, runs the server in a systemd user scope: at logout many
// systems end everything in the tree of the login. Else why says in a few words
// what the server has instead.
func chooseWay(ctx context.Context, o Options) (command []string, why string) {
	if !inLogin() {
		return nil, "not started from a login"
	}
	run, err := exec.LookPath("systemd-run")
	if err != nil {
		return nil, "there is no systemd-run"
	}
	if !userManager() {
		return nil, "there is no systemd user manager"
	}
	if !lingers() && !killsAtLogout(ctx) {
		return nil, "logout ends the user manager and spares processes"
	}
	unit := "deck-" + unitName(o.name()) + "-" + strconv.Itoa(os.Getpid()) + ".scope"
	return []string{run, "--user", "--scope", "--quiet", "--collect", unitFlag + unit,
		"--description=deck server", "--"}, ""
}

func unitOf(way []string) string {
	for _, arg := range way {
		if unit, ok := strings.CutPrefix(arg, unitFlag); ok {
			return unit
		}
	}
	return ""
}

// unitName keeps what systemd takes in the name of a unit.
func unitName(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, s)
}

// inLogin reports whether this process belongs to a login that may end: one
// through SSH, or any that logind keeps a scope for.
func inLogin() bool {
	if os.Getenv("SSH_CONNECTION") != "" {
		return true
	}
	cgroup, err := os.ReadFile("/proc/self/cgroup")
	return err == nil && strings.Contains(string(cgroup), "/session-")
}

// userManager reports whether systemd runs for this user.
func userManager() bool {
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(dir, "systemd", "private"))
	return err == nil
}

// lingers reports whether the user manager stays when the last login ends.
func lingers() bool {
	u, err := user.Current()
	if err != nil {
		return false
	}
	_, err = os.Stat(filepath.Join("/var/lib/systemd/linger", u.Username))
	return err == nil
}

// killsAtLogout asks logind whether it ends what a login leaves behind. Without
// an answer it is taken to.
func killsAtLogout(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "busctl", "--system", "get-property", "org.freedesktop.login1",
		"/org/freedesktop/login1", "org.freedesktop.login1.Manager", "KillUserProcesses").Output()
	return err != nil || strings.TrimSpace(string(out)) != "b false"
}
