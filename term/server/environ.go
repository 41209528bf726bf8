package server

import (
	"strings"

	"deck/term/layout"
)

// foreign are the variables by which programs recognise another multiplexer or
// terminal, and turn features off or speak to the wrong one.
var foreign = map[string]bool{
	"TMUX": true, "TMUX_PANE": true, "TMUX_PLUGIN_MANAGER_PATH": true,
	"STY": true, "WINDOW": true, "BYOBU_TTY": true, "SSH_TTY": true, "WINDOWID": true,
	"LINES": true, "COLUMNS": true, "TERMCAP": true, "VTE_VERSION": true, "TERM_SESSION_ID": true,
	"LC_TERMINAL": true, "LC_TERMINAL_VERSION": true, "COLORFGBG": true, "TERMINFO": true, "TERMINATOR_UUID": true,
	"WT_SESSION": true, "WT_PROFILE_ID": true, "GNOME_TERMINAL_SCREEN": true, "GNOME_TERMINAL_SERVICE": true,
	"XTERM_VERSION": true, "XTERM_SHELL": true, "XTERM_LOCALE": true, "ROXTERM_ID": true, "TILIX_ID": true,
	"TERMUX_VERSION": true, "MLTERM": true, "INSIDE_EMACS": true, "NVIM": true, "VIM_TERMINAL": true,
	"ConEmuANSI": true, "ConEmuPID": true, "__CFBundleIdentifier": true, "SHLVL": true, "OLDPWD": true, "_": true,
	"INVOCATION_ID": true, "JOURNAL_STREAM": true, "NOTIFY_SOCKET": true, "SYSTEMD_EXEC_PID": true,
	"LISTEN_FDS": true, "LISTEN_PID": true, "LISTEN_FDNAMES": true,
}

// foreignPrefixes begin whole families of them.
var foreignPrefixes = []string{
	"DECK_", "TERM_PROGRAM", "ZELLIJ", "KITTY_", "WEZTERM_", "GHOSTTY_", "ITERM_", "KONSOLE_", "ALACRITTY_",
	"VSCODE_", "WARP_", "WAVETERM", "FOOT_", "RIO_", "TABBY_", "HERDR_", "CMUX_", "ZED_",
}

// paneVars are the variables that tell a program in a pane where it is.
type paneVars struct {
	socket, version, term string
	pane                  layout.PaneID
	nick, token, dir      string
	parent                layout.PaneID // of the agent that opened it
}

// environ returns the environment of a new pane's program, made from the
// caller's: without what belongs to the terminal outside, with what belongs to
// the pane.
func environ(base []string, v paneVars) []string {
	set := []string{
		"TERM=" + v.term, "COLORTERM=truecolor", "TERM_PROGRAM=deck", "TERM_PROGRAM_VERSION=" + v.version,
		"DECK_SOCKET=" + v.socket, "DECK_PANE_ID=" + string(v.pane), "DECK_NICK=" + v.nick, "DECK_REPORT_TOKEN=" + v.token,
	}
	if v.dir != "" {
		set = append(set, "PWD="+v.dir)
	}
	if v.parent != "" {
		set = append(set, "DECK_PARENT="+string(v.parent))
	}
	replaced := map[string]bool{}
	for _, s := range set {
		name, _, _ := strings.Cut(s, "=")
		replaced[name] = true
	}
	out := make([]string, 0, len(base)+len(set))
	for _, s := range base {
		name, _, ok := strings.Cut(s, "=")
		if ok && name != "" && !replaced[name] && !isForeign(name) && !strings.ContainsRune(s, 0) {
			out = append(out, s)
		}
	}
	return append(out, set...)
}

// isForeign reports whether a variable belongs to the terminal outside.
func isForeign(name string) bool {
	if foreign[name] {
		return true
	}
	for _, p := range foreignPrefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// envValue returns the value of a variable, the last one where there are
// several.
func envValue(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(env[i], name+"="); ok {
			return v
		}
	}
	return ""
}
