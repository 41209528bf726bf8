package paint

import "strings"

// base returns what a terminal of that TERM has, whichever program it is.
func base(term string) Profile {
	switch {
	case term == "" || term == "dumb" || term == "unknown":
		return Profile{Dumb: true}
	case term == "linux":
		return Profile{Colors: Color16, BCE: true, Erase: true, Paste: true}
	case strings.HasPrefix(term, "vt1"):
		return Profile{}
	case strings.HasPrefix(term, "vt") || strings.HasPrefix(term, "ansi"):
		return Profile{Erase: true}
	}
	p := Profile{Erase: true, Scroll: true, BCE: true, AltScreen: true, Title: true, Shape: true,
		Mouse: true, Focus: true, Paste: true, ModifyOtherKeys: true, Links: true, Query: true, Device: true}
	if strings.HasPrefix(term, "screen") {
		p.BCE, p.Links, p.ModifyOtherKeys = false, false, false
	}
	if strings.HasPrefix(term, "rxvt") || strings.HasPrefix(term, "cygwin") || strings.HasPrefix(term, "eterm") {
		p.Links, p.ModifyOtherKeys, p.Device = false, false, false
	}
	return p
}

// family returns the lower-case name of the terminal program that the
// environment gives away, or "".
func family(term string, env map[string]string) string {
	if env["TMUX"] != "" || strings.HasPrefix(term, "tmux") {
		return "tmux"
	}
	for _, name := range []string{"kitty", "ghostty", "alacritty", "wezterm", "foot", "contour", "rio", "mintty", "konsole", "vte"} {
		if term == name || strings.HasPrefix(term, name+"-") || strings.HasPrefix(term, "xterm-"+name) {
			return name
		}
	}
	if strings.HasPrefix(term, "screen") {
		return ""
	}
	switch v := strings.ToLower(env["TERM_PROGRAM"]); v {
	case "iterm.app":
		return "iterm2"
	case "":
	default:
		return v
	}
	switch {
	case env["WT_SESSION"] != "":
		return "windows"
	case env["VTE_VERSION"] != "":
		return "vte"
	case env["KONSOLE_VERSION"] != "":
		return "konsole"
	case env["KITTY_WINDOW_ID"] != "":
		return "kitty"
	}
	return ""
}

// known adds what the terminal program of that name has beyond its TERM. The
// name is that of family, or the beginning of an XTVERSION answer.
func known(p *Profile, name string) {
	switch name {
	case "apple_terminal":
		// It prints the last byte of a DECRQM and the text of a DCS.
		p.Query, p.Device, p.Links, p.ModifyOtherKeys = false, false, false, false
		p.Colors = max(p.Colors, Color256)
	case "kitty", "ghostty", "wezterm", "foot", "contour", "rio", "iterm2", "tmux", "mintty", "alacritty", "deck":
		p.Repeat, p.Underlines, p.UnderlineColors, p.Colors = true, true, true, TrueColor
		p.BCE, p.Links, p.ModifyOtherKeys = true, true, true
	case "vte", "konsole", "windows", "vscode", "xterm.js":
		p.Underlines, p.UnderlineColors, p.Colors = true, true, TrueColor
	case "xterm":
		p.Repeat, p.Colors = true, max(p.Colors, Color256)
	}
	if p.colorsFixed {
		p.Colors = NoColor
	}
}

// colors returns the depth that TERM and COLORTERM promise.
func colors(term string, env map[string]string) ColorDepth {
	switch {
	case term == "" || term == "dumb" || term == "unknown" || strings.HasPrefix(term, "vt"):
		return NoColor
	case env["COLORTERM"] == "truecolor" || env["COLORTERM"] == "24bit" || strings.HasSuffix(term, "-direct"):
		return TrueColor
	case strings.Contains(term, "256color"):
		return Color256
	}
	return Color16
}

// utf8Locale reports whether the locale's character set is UTF-8; unset is what
// it is taken for where no variable says anything.
func utf8Locale(env map[string]string, unset bool) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(env[name]); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return unset
}
