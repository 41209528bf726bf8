package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// settingsVersion is the mark on every entry that this build writes into an
// agent's settings. It grows when what an entry says changes its meaning.
const settingsVersion = 1

// settings is one kind of settings file: how deck's entries are put into its
// bytes and taken out again. Nothing else of the bytes changes, and what
// install adds to a file without them, uninstall removes to the last byte.
type settings interface {
	// install returns the file with deck's entries, each as this build writes
	// it. nil stands for a file that is not there.
	install(file []byte) ([]byte, error)
	// uninstall returns the file without them; nil says that nothing is left of
	// a file that install made.
	uninstall(file []byte) ([]byte, error)
	// version returns the lowest mark among deck's entries, 0 without any.
	version(file []byte) (int, error)
}

// entry is a hook in an agent's settings: what is run at an event.
type entry struct {
	event  string
	fields []field
}

// field is one key of an entry, with a string, an int or a bool.
type field struct {
	key   string
	value any
}

// hookCommand is the shell command of an installed hook. It does nothing
// outside a pane, where deck is gone, and in an agent that deck started with its
// reporter already. It holds no secret. The path is that of the program that
// serves "hook AGENT EVENT".
func hookCommand(reporter, agent, event string) string {
	r := shellQuote(reporter)
	return fmt.Sprintf(`[ -z "$DECK_SOCKET" ] || [ "$%s" = %s ] || [ ! -x %s ] || %s hook %s %s # deck hooks %d`,
		InjectedEnv, agent, r, r, agent, event, settingsVersion)
}

// InjectedEnv is the variable by which a plan tells installed hooks that this
// start brings its own; its value is the agent's name.
const InjectedEnv = "DECK_INJECTED"

// ownCommand is what every command of hookCommand, of this version and of those
// before, looks like.
var ownCommand = regexp.MustCompile(`^\[ -z "\$DECK_SOCKET" \] \|\| .* hook ([a-z-]+) ([A-Za-z]+) # deck hooks ([1-9][0-9]{0,5})$`)

// ownVersion returns the mark of a command that install wrote for an agent, 0
// for any other command.
func ownVersion(command, agent string) int {
	m := ownCommand.FindStringSubmatch(command)
	if m == nil || m[1] != agent {
		return 0
	}
	v, _ := strconv.Atoi(m[3])
	return v
}

// plainWord is what a shell takes as one word as it stands.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./@%+=:,-]+$`)

// shellQuote makes one word of a string for any POSIX shell.
func shellQuote(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// byteOrderMark may stand before the text of a file; it is kept.
var byteOrderMark = []byte("\xef\xbb\xbf")

// cutMark splits a file into its byte order mark, if it has one, and its text.
func cutMark(file []byte) (mark, text []byte) {
	if text, ok := bytes.CutPrefix(file, byteOrderMark); ok {
		return byteOrderMark, text
	}
	return nil, file
}

// lineEnd returns the line ending that a text uses first.
func lineEnd(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// cutLineEnd removes one line ending from the end of a text.
func cutLineEnd(text []byte) []byte {
	text, ok := bytes.CutSuffix(text, []byte("\n"))
	if ok {
		text, _ = bytes.CutSuffix(text, []byte("\r"))
	}
	return text
}

// there makes bytes that are there of bytes that may be none.
func there(file []byte) []byte {
	if file == nil {
		return []byte{}
	}
	return file
}

// maxNesting is how deep settings may be nested; parsers recurse.
const maxNesting = 1000

// tooDeep reports whether a text could be nested deeper than that.
func tooDeep(text []byte) bool {
	depth := 0
	for _, c := range text {
		switch c {
		case '[', '{':
			if depth++; depth > maxNesting {
				return true
			}
		case ']', '}':
			depth--
		}
	}
	return false
}

var errTooDeep = errors.New("it is nested too deep")
