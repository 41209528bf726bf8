package wire

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const offering = "HTTP/1.1 101 Switching Protocols\r\n" + PassHeader + ": 1\r\n\r\n"

// pipeTo returns a file whose bytes the test reads at the other end.
func pipeTo(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

// TestATerminalIsPassed: the file that comes with a hello is the one that was
// passed, and only the first frame tells whether it is used.
func TestATerminalIsPassed(t *testing.T) {
	t.Parallel()
	for name, took := range map[string]bool{"taken": true, "not taken": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, w := pipeTo(t)
			hello := make(chan Attach, 1)
			c := answer(t, func(_ *http.Request, conn net.Conn, _ *bufio.Reader) {
				received := &Receiver{Conn: conn.(*net.UnixConn)}
				up := bufio.NewReader(received)
				_, _ = io.WriteString(conn, offering)
				_, p, err := ReadFrame(up, nil)
				var a Attach
				if err != nil || json.Unmarshal(p, &a) != nil || received.File == nil {
					t.Errorf("hello %q with %v: %v", p, received.File, err)
					return
				}
				_, _ = received.File.WriteString("same")
				received.File.Close()
				hello <- a
				if took {
					_ = WriteFrame(conn, FrameTaken, nil)
				}
				_ = WriteFrame(conn, FrameOutput, []byte("out"))
				if ty, _, err := ReadFrame(up, nil); ty != FrameRelease {
					t.Errorf("then %q: %v", ty, err)
				}
			})
			s, err := c.AttachPassing(t.Context(), Attach{}, func(a *Attach) (*os.File, error) {
				a.Dir = "/ready"
				return w, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if s.Took() != took {
				t.Errorf("took %v", s.Took())
			}
			if a := <-hello; a.Dir != "/ready" {
				t.Errorf("hello %+v", a)
			}
			ty, p, err := s.Read()
			if d := cmp.Diff(frame{FrameOutput, "out"}, frame{ty, string(p)}); d != "" || err != nil {
				t.Error(d, err)
			}
			if err := s.Release(); err != nil {
				t.Error(err)
			}
			got := make([]byte, 8)
			if n, err := r.Read(got); string(got[:n]) != "same" {
				t.Errorf("the file got %q: %v", got[:n], err)
			}
		})
	}
}

// TestNothingIsPassedUnasked: an older server offers nothing and gets nothing.
func TestNothingIsPassedUnasked(t *testing.T) {
	t.Parallel()
	c := answer(t, func(_ *http.Request, conn net.Conn, r *bufio.Reader) {
		_, _ = io.WriteString(conn, switching)
		_, _, _ = ReadFrame(r, nil)
	})
	s, err := c.AttachPassing(t.Context(), Attach{}, func(*Attach) (*os.File, error) {
		t.Error("the terminal was made ready")
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.Took() {
		t.Error("taken")
	}
	s.Close()
}

// TestATerminalThatIsNotReady ends the attach.
func TestATerminalThatIsNotReady(t *testing.T) {
	t.Parallel()
	c := answer(t, func(_ *http.Request, conn net.Conn, r *bufio.Reader) {
		_, _ = io.WriteString(conn, offering)
		_, _, _ = ReadFrame(r, nil)
	})
	oops := errors.New("oops")
	if _, err := c.AttachPassing(t.Context(), Attach{}, func(*Attach) (*os.File, error) { return nil, oops }); !errors.Is(err, oops) {
		t.Errorf("attach: %v", err)
	}
}

// TestOneFileIsKept: a sender cannot make the receiver hold more than one.
func TestOneFileIsKept(t *testing.T) {
	t.Parallel()
	l, path := listen(t)
	defer l.Close()
	near, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	far, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	r, w := pipeTo(t)
	fd := int(w.Fd())
	for range 2 {
		if _, _, err := near.WriteMsgUnix([]byte("x"), syscall.UnixRights(fd, fd, fd), nil); err != nil {
			t.Fatal(err)
		}
	}
	near.Close()
	received := &Receiver{Conn: far.(*net.UnixConn)}
	if b, err := io.ReadAll(received); string(b) != "xx" || err != nil {
		t.Errorf("read %q: %v", b, err)
	}
	far.Close()
	if n, err := received.Read(make([]byte, 1)); n != 0 || err == nil || errors.Is(err, io.EOF) {
		t.Errorf("read of a closed connection: %d, %v", n, err)
	}
	received.File.Close()
	w.Close()
	if n, err := r.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("a file is left open: %d, %v", n, err)
	}
}
