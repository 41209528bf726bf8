package wire

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// pair returns the two ends of a socket.
func pair(t *testing.T) (a, b *net.UnixConn) {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	d, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	a, b = c.(*net.UnixConn), d.(*net.UnixConn)
	t.Cleanup(func() { a.Close(); b.Close() })
	return a, b
}

func TestPromptReadsWhatComesUntilTheEnd(t *testing.T) {
	t.Parallel()
	a, b := pair(t)
	p, err := NewPrompt(a)
	if err != nil {
		t.Fatal(err)
	}
	sent := bytes.Repeat([]byte("0123456789"), 100000)
	go func() {
		_, _ = b.Write(sent)
		b.Close()
	}()
	got, err := io.ReadAll(p)
	if err != nil || !bytes.Equal(got, sent) {
		t.Errorf("read %d bytes, want %d: %v", len(got), len(sent), err)
	}
}

func TestPromptReadEndsWithADeadlineAndAClose(t *testing.T) {
	t.Parallel()
	a, _ := pair(t)
	p, err := NewPrompt(a)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		for range 2 {
			_, err := p.Read(make([]byte, 1))
			ended <- err
		}
	}()
	_ = a.SetReadDeadline(time.Now())
	if err := <-ended; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("after a deadline: %v", err)
	}
	_ = a.SetReadDeadline(time.Time{})
	a.Close()
	if err := <-ended; err == nil {
		t.Error("no error after a close")
	}
}

// TestPromptReadsNothingThatItMayNot: what is there stays for whoever reads next.
func TestPromptReadsNothingThatItMayNot(t *testing.T) {
	t.Parallel()
	a, b := pair(t)
	p, err := NewPrompt(a)
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan bool, 1)
	ended := make(chan error)
	may := func() bool { asked <- true; return false }
	buf := make([]byte, 8)
	for _, come := range []string{"ke", "pt"} {
		go func() {
			_, err := p.ReadIf(buf, may)
			ended <- err
		}()
		_, _ = b.Write([]byte(come))
		<-asked
		if !errors.Is(<-ended, ErrNotRead) {
			t.Error("it was read")
		}
	}
	if n, err := p.ReadIf(buf, func() bool { return true }); string(buf[:n]) != "kept" || err != nil {
		t.Errorf("read %q: %v", buf[:n], err)
	}
}

func TestPromptWritesOnlyWhatIsTaken(t *testing.T) {
	t.Parallel()
	a, b := pair(t)
	p, err := NewPrompt(a)
	if err != nil {
		t.Fatal(err)
	}
	large := make([]byte, 8<<20)
	n := p.WriteNow(large)
	if n == 0 || n == len(large) {
		t.Errorf("%d bytes of %d were taken by a socket that nobody reads", n, len(large))
	}
	if m := p.WriteNow(large); m != 0 {
		t.Errorf("a full socket took %d bytes", m)
	}
	if m, err := io.ReadFull(b, make([]byte, n)); err != nil {
		t.Errorf("%d bytes arrive of %d: %v", m, n, err)
	}
}
