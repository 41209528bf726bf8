package wire

import (
	"errors"
	"io"
	"syscall"
)

// Prompt reads and writes a descriptor of the runtime's poller, a socket or a
// terminal, without telling the runtime of system calls that do not block: it
// would wake a thread of its own to watch each, which is a good part of the
// price of a key and of its echo. One goroutine may read while another writes.
type Prompt struct {
	conn syscall.RawConn

	in    []byte      // what is being read into
	may   func() bool // nil: it is read in any case
	woken bool        // read was called before for the same bytes
	nIn   int
	errIn error
	read  func(fd uintptr) bool // made once: neither way allocates

	out   []byte // what is being written
	nOut  int
	write func(fd uintptr) bool
}

// NewPrompt returns a Prompt of a connection or a file.
func NewPrompt(c syscall.Conn) (*Prompt, error) {
	conn, err := c.SyscallConn()
	if err != nil {
		return nil, err
	}
	p := &Prompt{conn: conn}
	p.read = func(fd uintptr) bool {
		if p.may != nil {
			// The first look is for what came before the wait, and mostly finds nothing.
			woken := p.woken
			if p.woken = true; !woken && !waiting(fd) {
				return false
			}
			if !p.may() {
				p.errIn = ErrNotRead
				return true
			}
		}
		p.nIn, p.errIn = readNow(fd, p.in)
		return !errors.Is(p.errIn, syscall.EAGAIN)
	}
	p.write = func(fd uintptr) bool {
		p.nOut, _ = writeNow(fd, p.out)
		return true
	}
	return p, nil
}

// ErrNotRead is what ReadIf returns where it may not read.
var ErrNotRead = errors.New("not to be read")

// Read waits for bytes.
func (p *Prompt) Read(b []byte) (int, error) { return p.ReadIf(b, nil) }

// ReadIf waits for a terminal's bytes, and takes them if may allows it at that
// moment. It must not wait.
func (p *Prompt) ReadIf(b []byte, may func() bool) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	for {
		p.in, p.may, p.woken = b, may, false
		err := p.conn.Read(p.read)
		p.in, p.may = nil, nil
		switch {
		case err != nil:
			return 0, err
		case errors.Is(p.errIn, syscall.EINTR):
		case p.errIn != nil:
			return 0, p.errIn
		case p.nIn == 0:
			return 0, io.EOF
		default:
			return p.nIn, nil
		}
	}
}

// WriteNow writes what is taken without waiting, and returns how much that was.
// An error shows when the rest is written otherwise.
func (p *Prompt) WriteNow(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	p.out, p.nOut = b, 0
	_ = p.conn.Write(p.write)
	p.out = nil
	return max(p.nOut, 0)
}
