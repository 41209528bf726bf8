// Package wire holds the shapes that cross the server's socket: verbs, events
// and the frames of an attached terminal, and the client that speaks them. It
// exists so that the server and the command line cannot drift apart, and so
// that what other people's scripts see is written down in one place.
package wire

// Protocol is the version of what this build speaks; MinProtocol is the oldest
// that it still understands. The attach stream is meant to outlive both.
const (
	Protocol    = 1
	MinProtocol = 1
)

// Hello answers GET /v1/hello: who the server is.
type Hello struct {
	Protocol    int    `json:"protocol"`
	MinProtocol int    `json:"min_protocol"`
	Version     string `json:"version"`
	PID         int    `json:"pid"`
	Socket      string `json:"socket"`
	Started     string `json:"started"` // RFC 3339
}

// Version is this build's, set by the linker from the newest tag.
var Version = "dev"
