package wire

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// frame is what a stream carried.
type frame struct {
	Type    FrameType
	Payload string
}

// answer takes one connection, reads the request of an attach, and hands the
// connection on.
func answer(t *testing.T, f func(*http.Request, net.Conn, *bufio.Reader)) *Conn {
	t.Helper()
	l, path := listen(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		r := bufio.NewReader(conn)
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		f(req, conn, r)
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return Open(path, "secret")
}

const switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: " + UpgradeAttach + "\r\n\r\n"

func TestAttach(t *testing.T) {
	t.Parallel()
	got := make(chan frame, 8)
	c := answer(t, func(req *http.Request, conn net.Conn, r *bufio.Reader) {
		if req.URL.Path != "/v1/attach" || req.Header.Get("Upgrade") != UpgradeAttach || req.Header.Get(TokenHeader) != "secret" {
			t.Errorf("request %s %v", req.URL, req.Header)
		}
		// The first frames may come in one piece with the answer.
		b := bytes.NewBufferString(switching)
		_ = WriteFrame(b, FrameOutput, []byte("one"))
		_ = WriteFrame(b, FrameOutput, nil)
		_ = WriteFrame(b, FrameExit, []byte(`{"reason":"detached"}`))
		_, _ = conn.Write(b.Bytes())
		for {
			ty, p, err := ReadFrame(r, nil)
			if err != nil {
				close(got)
				return
			}
			got <- frame{ty, string(p)}
		}
	})
	s, err := c.Attach(t.Context(), Attach{Protocol: 1, Session: "main", Env: map[string]string{}, Size: Size{Cols: 80, Rows: 24}})
	if err != nil {
		t.Fatal(err)
	}
	var down []frame
	for range 3 {
		ty, p, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		down = append(down, frame{ty, string(p)})
	}
	want := []frame{{FrameOutput, "one"}, {FrameOutput, ""}, {FrameExit, `{"reason":"detached"}`}}
	if d := cmp.Diff(want, down); d != "" {
		t.Error(d)
	}
	if err := errors.Join(s.Input([]byte("x\x1b[A")), s.Resize(Size{Cols: 20, Rows: 5, Fresh: true}), s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	var up []frame
	for f := range got {
		up = append(up, f)
	}
	want = []frame{
		{FrameHello, `{"protocol":1,"version":"","session":"main","dir":"","env":{},"pid":0,"size":{"cols":80,"rows":24}}`},
		{FrameInput, "x\x1b[A"},
		{FrameSize, `{"cols":20,"rows":5,"fresh":true}`},
	}
	if d := cmp.Diff(want, up); d != "" {
		t.Error(d)
	}
}

func TestAttachRefused(t *testing.T) {
	t.Parallel()
	c := answer(t, func(_ *http.Request, conn net.Conn, _ *bufio.Reader) {
		_, _ = io.WriteString(conn, "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n"+`{"error":"server_stopping","message":"the server stops"}`)
	})
	_, err := c.Attach(t.Context(), Attach{})
	var e *Error
	if !errors.As(err, &e) || e.Code != CodeStopping {
		t.Errorf("attach: %v", err)
	}
}

func TestAttachCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c := answer(t, func(_ *http.Request, _ net.Conn, r *bufio.Reader) {
		cancel()
		_, _ = r.ReadByte()
	})
	if _, err := c.Attach(ctx, Attach{}); !errors.Is(err, context.Canceled) {
		t.Errorf("attach: %v", err)
	}
}

func TestLongInputIsCut(t *testing.T) {
	t.Parallel()
	client, server := net.Pipe()
	s := &Stream{conn: client}
	sent := bytes.Repeat([]byte("ab"), MaxFrame)
	done := make(chan error, 1)
	go func() { done <- errors.Join(s.Input(sent), s.Close()) }()
	var got []byte
	for {
		_, p, err := ReadFrame(server, nil)
		if err != nil {
			break
		}
		got = append(got, p...)
	}
	if err := <-done; err != nil || !bytes.Equal(got, sent) {
		t.Errorf("%d of %d bytes arrived: %v", len(got), len(sent), err)
	}
}

func TestFrameTooLong(t *testing.T) {
	t.Parallel()
	if err := WriteFrame(io.Discard, FrameOutput, make([]byte, MaxFrame+1)); !errors.Is(err, ErrFrame) {
		t.Errorf("write: %v", err)
	}
	if _, _, err := ReadFrame(bytes.NewReader([]byte{'o', 0xff, 0, 0, 0}), nil); !errors.Is(err, ErrFrame) {
		t.Errorf("read: %v", err)
	}
}

func FuzzReadFrame(f *testing.F) {
	f.Add([]byte("o\x00\x00\x00\x02hi"))
	f.Add([]byte("x\x00\x10\x00\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		ty, p, err := ReadFrame(bytes.NewReader(in), nil)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := WriteFrame(&b, ty, p); err != nil || !bytes.Equal(b.Bytes(), in[:b.Len()]) {
			t.Errorf("frame %q is written as %q: %v", in, b.Bytes(), err)
		}
	})
}
