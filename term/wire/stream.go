package wire

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"syscall"
)

// Stream is the client's end of an attached terminal. One goroutine may read
// while others write.
type Stream struct {
	conn net.Conn
	now  *Prompt // of conn; nil where it is no descriptor
	r    *bufio.Reader
	in   []byte // the last frame read
	took bool   // the server has the terminal

	mu  sync.Mutex
	out []byte // guarded by mu; the frame being written
}

// Attach opens the stream of a terminal. An error that the server answers
// with before the stream began is an *Error.
func (c *Conn) Attach(ctx context.Context, a Attach) (*Stream, error) {
	return c.AttachPassing(ctx, a, nil)
}

// AttachPassing is Attach with a terminal that the server may read and draw
// itself. Where the server does such a thing, pass makes the terminal ready, says
// so in the hello and returns what is sent with it, or nil.
func (c *Conn) AttachPassing(ctx context.Context, a Attach, pass func(*Attach) (*os.File, error)) (*Stream, error) {
	conn, err := c.dial(ctx)
	if err != nil {
		return nil, err
	}
	s := &Stream{conn: conn, r: bufio.NewReaderSize(conn, 64<<10)}
	if c, ok := conn.(syscall.Conn); ok {
		if now, err := NewPrompt(c); err == nil {
			s.now, s.r = now, bufio.NewReaderSize(now, 64<<10)
		}
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	if err := s.open(c.token, a, pass); err != nil {
		conn.Close()
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, err
	}
	return s, nil
}

// open asks for the upgrade and says hello.
func (s *Stream) open(token string, a Attach, pass func(*Attach) (*os.File, error)) error {
	req, err := http.NewRequest(http.MethodGet, "http://deck/v1/attach", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", UpgradeAttach)
	if token != "" {
		req.Header.Set(TokenHeader, token)
	}
	if err := req.Write(s.conn); err != nil {
		return plain(err)
	}
	r, err := http.ReadResponse(s.r, req)
	if err != nil {
		return plain(err)
	}
	if r.StatusCode != http.StatusSwitchingProtocols {
		defer r.Body.Close()
		return answerError(r)
	}
	var file *os.File
	if pass != nil && r.Header.Get(PassHeader) != "" {
		if file, err = pass(&a); err != nil {
			return err
		}
	}
	hello, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if file != nil {
		return s.pass(file, hello)
	}
	return s.write(FrameHello, hello)
}

// Took reports whether the server reads and draws the terminal itself.
func (s *Stream) Took() bool { return s.took }

// Read returns the next frame; its payload is valid until the next Read.
func (s *Stream) Read() (FrameType, []byte, error) {
	t, b, err := ReadFrame(s.r, s.in)
	if err != nil {
		return 0, nil, err
	}
	s.in = b
	return t, b, nil
}

// Input sends what the terminal said.
func (s *Stream) Input(p []byte) error {
	for len(p) > MaxFrame {
		if err := s.write(FrameInput, p[:MaxFrame]); err != nil {
			return err
		}
		p = p[MaxFrame:]
	}
	return s.write(FrameInput, p)
}

// Release asks the server for a terminal that it took.
func (s *Stream) Release() error { return s.write(FrameRelease, nil) }

// Resize sends the terminal's size.
func (s *Stream) Resize(z Size) error {
	b, err := json.Marshal(z)
	if err != nil {
		return err
	}
	return s.write(FrameSize, b)
}

// write sends one frame in one write, from a buffer that it keeps: a key costs
// no allocation.
func (s *Stream) write(t FrameType, payload []byte) error {
	if len(payload) > MaxFrame {
		return ErrFrame
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out = append(s.out[:0], byte(t))
	s.out = binary.BigEndian.AppendUint32(s.out, uint32(len(payload)))
	s.out = append(s.out, payload...)
	rest := s.out
	if s.now != nil {
		rest = rest[s.now.WriteNow(rest):]
	}
	if len(rest) == 0 {
		return nil
	}
	_, err := s.conn.Write(rest)
	return err
}

// Close ends the stream.
func (s *Stream) Close() error {
	if err := s.conn.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("close the stream: %w", err)
	}
	return nil
}
