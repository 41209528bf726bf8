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

	in    []byte // what is being read into
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
		p.nIn, p.errIn = readNow(fd, p.in)
		return !errors.Is(p.errIn, syscall.EAGAIN)
	}
	p.write = func(fd uintptr) bool {
		p.nOut, _ = writeNow(fd, p.out)
		return true
	}
	return p, nil
}

// Read waits for bytes.
func (p *Prompt) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	for {
		p.in = b
		err := p.conn.Read(p.read)
		p.in = nil
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
