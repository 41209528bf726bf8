package wire

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
)

// pass says hello and sends a file with it. Then the first frame of the server
// tells whether it uses it.
func (s *Stream) pass(f *os.File, hello []byte) error {
	u, ok := s.conn.(*net.UnixConn)
	if !ok {
		return s.write(FrameHello, hello)
	}
	if len(hello) > MaxFrame {
		return ErrFrame
	}
	b := binary.BigEndian.AppendUint32([]byte{byte(FrameHello)}, uint32(len(hello)))
	b = append(b, hello...)
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	// Fd would make the file a blocking one.
	n, sent := 0, error(nil)
	err = conn.Control(func(fd uintptr) { n, _, sent = u.WriteMsgUnix(b, syscall.UnixRights(int(fd)), nil) })
	if err == nil {
		err = sent
	}
	if err == nil && n < len(b) {
		_, err = s.conn.Write(b[n:])
	}
	if err != nil {
		return plain(err)
	}
	first, err := s.r.Peek(1)
	if err != nil || FrameType(first[0]) != FrameTaken {
		return nil // Read says what is wrong
	}
	s.took = true
	_, _, err = s.Read()
	return err
}

// maxFiles is the most files that one hello is expected with, and SCM_RIGHTS's
// own limit is not far above.
const maxFiles = 8

// Receiver reads a connection and keeps the first file that comes with it.
type Receiver struct {
	Conn *net.UnixConn
	File *os.File // nil: none came; the caller's to close
}

// Read reads bytes.
func (r *Receiver) Read(p []byte) (int, error) {
	oob := make([]byte, syscall.CmsgSpace(4*maxFiles))
	n, oobn, _, _, err := r.Conn.ReadMsgUnix(p, oob)
	n, oobn = max(n, 0), max(oobn, 0) // with an error they may be -1
	if errors.Is(err, io.EOF) {
		err = io.EOF // as a reader says it
	}
	messages, parseErr := syscall.ParseSocketControlMessage(oob[:oobn])
	if parseErr != nil {
		return n, err
	}
	for i := range messages {
		fds, err := syscall.ParseUnixRights(&messages[i])
		if err != nil {
			continue
		}
		for _, fd := range fds {
			if r.File == nil {
				r.File = os.NewFile(uintptr(fd), "passed")
				continue
			}
			_ = syscall.Close(fd)
		}
	}
	return n, err
}
