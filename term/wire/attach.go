package wire

import (
	"encoding/binary"
	"errors"
	"io"

	"golang.org/x/sys/unix"
)

// UpgradeAttach is the protocol named in the Upgrade header of GET /v1/attach.
const UpgradeAttach = "deck-attach/1"

// FrameType says what an attach frame carries.
type FrameType byte

// The frames. A type that a side does not know is skipped.
const (
	FrameHello  FrameType = 'h' // up, first: Attach as JSON
	FrameInput  FrameType = 'i' // up: the terminal's raw bytes
	FrameSize   FrameType = 's' // up: Size as JSON
	FrameOutput FrameType = 'o' // down: bytes for the terminal
	FrameExit   FrameType = 'x' // down, last: Exit as JSON

	// Of a terminal whose descriptor came with the hello:
	FrameTaken   FrameType = 't' // down, first: the server reads and draws it itself, without the frames i and o
	FrameRelease FrameType = 'r' // up: it is wanted back; down: it has been given back, until the next size that is Fresh
)

// PassHeader is in the answer to an attach where the server takes a terminal's
// descriptor with the hello (SCM_RIGHTS).
const PassHeader = "Deck-Takes-Terminal"

// MaxFrame is the most bytes one frame may carry.
const MaxFrame = 1 << 20

// ErrFrame is a frame that is longer than MaxFrame.
var ErrFrame = errors.New("attach frame too long")

// Size is a terminal's size in cells and, where it tells, in pixels.
type Size struct {
	Cols   int `json:"cols"`
	Rows   int `json:"rows"`
	XPixel int `json:"xpixel,omitempty"`
	YPixel int `json:"ypixel,omitempty"`
	// Fresh says that the terminal lost its modes and its screen, as after a
	// client was stopped and continued: everything is to be sent again.
	Fresh bool `json:"fresh,omitempty"`
}

// Attach opens the stream: which session, and what is known of the terminal.
type Attach struct {
	Protocol int               `json:"protocol"`
	Version  string            `json:"version"`
	Session  string            `json:"session,omitempty"` // empty: the one last used, else "main"
	New      *NewPane          `json:"new,omitempty"`     // open this pane and focus it
	Dir      string            `json:"dir"`               // the client's folder
	Env      map[string]string `json:"env"`               // TERM, COLORTERM, LANG, LC_*, TERM_PROGRAM, NO_COLOR, …
	PaneEnv  []string          `json:"pane_env,omitempty"`
	TTY      string            `json:"tty,omitempty"`
	PID      int               `json:"pid"`
	ReadOnly bool              `json:"read_only,omitempty"`
	Size     Size              `json:"size"`
	// Termios is there where the terminal's descriptor comes with the hello: its
	// modes as they are to be when deck has gone.
	Termios *unix.Termios `json:"termios,omitempty"`
}

// Exit ends the stream and says why.
type Exit struct {
	Reason  string `json:"reason"`  // detached, closed (no pane is left), stopped, error
	Message string `json:"message"` // a sentence for the person
	Code    int    `json:"code"`    // exit status of the client
}

// WriteFrame writes one frame: its type, four bytes of length (big endian),
// its payload, in one write.
func WriteFrame(w io.Writer, t FrameType, payload []byte) error {
	if len(payload) > MaxFrame {
		return ErrFrame
	}
	buf := make([]byte, 5, 5+len(payload))
	buf[0] = byte(t)
	binary.BigEndian.PutUint32(buf[1:], uint32(len(payload)))
	_, err := w.Write(append(buf, payload...))
	return err
}

// ReadFrame reads one frame into buf, which it grows as needed and returns cut
// to the payload.
func ReadFrame(r io.Reader, buf []byte) (FrameType, []byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n > MaxFrame {
		return 0, nil, ErrFrame
	}
	if cap(buf) < int(n) {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	_, err := io.ReadFull(r, buf)
	return FrameType(head[0]), buf, err
}
