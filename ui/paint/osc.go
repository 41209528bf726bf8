package paint

import (
	"encoding/base64"
	"strings"
)

// Clipboard returns the OSC 52 that puts text on the terminal's clipboard. Like
// all of this file it may be written between two frames, never within one.
func Clipboard(text string) []byte {
	return []byte("\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\x1b\\")
}

// Notify returns what makes the terminal show a notification, in the form that
// it is known to take (OSC 99, 777 or 9), or a bell: over SSH too, since it is
// the terminal that shows it.
func (p Profile) Notify(title, text string) []byte {
	title, text = clean(title), clean(text)
	switch name := p.program(); name {
	case "kitty":
		return []byte("\x1b]99;i=deck:d=0;" + title + "\x1b\\\x1b]99;i=deck:p=body;" + text + "\x1b\\")
	case "foot", "vte", "rxvt", "contour", "ghostty":
		return []byte("\x1b]777;notify;" + strings.ReplaceAll(title, ";", ",") + ";" + text + "\x1b\\")
	case "wezterm", "iterm2", "windows":
		if text != "" {
			title += ": " + text
		}
		return []byte("\x1b]9;" + title + "\x1b\\")
	}
	return []byte{0x07}
}

// program is the terminal program's short name, from its own answer or else
// from the environment.
func (p Profile) program() string {
	if p.Name != "" {
		return program(p.Name)
	}
	return p.guess
}

// program cuts the version off an XTVERSION answer.
func program(name string) string {
	word, _, _ := strings.Cut(strings.ToLower(name), " ")
	word, _, _ = strings.Cut(word, "(")
	return word
}
