package server

import (
	"encoding/json"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// The environment that a starting client gives a server. The server takes it
// out of its own, so that no pane inherits it.
const (
	readyVariable = "DECK_READY_FD" // descriptor of the pipe on which it is awaited
	keptVariable  = "DECK_KEPT_BY"  // how it left the login
)

// What a server says to the client that started it, one word a line.
const (
	wordBegun = "begun"
	wordReady = "ready"
	wordError = "error" // and a wire.Error as JSON
)

// parent is the client that started this server and waits for it; nil for a
// server in the foreground.
type parent struct {
	pipe *os.File
	kept string
	said bool
}

// takeParent finds out whether a client waits for this process, and tells it
// that the server has begun.
func takeParent() *parent {
	fd, err := strconv.Atoi(os.Getenv(readyVariable))
	kept := os.Getenv(keptVariable)
	_ = os.Unsetenv(readyVariable)
	_ = os.Unsetenv(keptVariable)
	if err != nil || fd < 3 {
		return nil
	}
	p := &parent{pipe: os.NewFile(uintptr(fd), "ready"), kept: kept}
	unix.CloseOnExec(fd)
	_, _ = p.pipe.WriteString(wordBegun + "\n")
	return p
}

// scope says what keeps the server alive when its login ends.
func (p *parent) scope() string {
	if p == nil {
		return "nothing: it runs in the foreground"
	}
	return p.kept
}

// ready tells the client that the server listens.
func (p *parent) ready() { p.say(wordReady) }

// finish tells the client what went wrong, unless it was told something else.
func (p *parent) finish(err error) {
	if err == nil {
		p.say(wordReady)
		return
	}
	text, jsonErr := json.Marshal(asWireError(err))
	if jsonErr == nil {
		p.say(wordError + " " + string(text))
	}
}

func (p *parent) say(line string) {
	if p == nil || p.said {
		return
	}
	p.said = true
	_, _ = p.pipe.WriteString(line + "\n")
	_ = p.pipe.Close()
}
