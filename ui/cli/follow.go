package cli

import (
	"bytes"
	"strings"
)

// What the relay looks for in the bytes that pass through it.
const (
	enterAlternate = "\x1b[?1049h"
	leaveAlternate = "\x1b[?1049l"
	askStatus      = "\x1b[5n" // the server asks how far the terminal is
	tellStatus     = "\x1b[0n" // the terminal's answer
)

// follower finds a few fixed sequences in a stream, however it is cut. Each
// begins with ESC and has no other.
type follower struct {
	want []string
	part []byte // the beginning of one, at the end of what was fed
}

// feed calls found for every sequence that p completes, with the index in p
// after it.
func (f *follower) feed(p []byte, found func(seq string, end int)) {
	for i := 0; i < len(p); i++ {
		if len(f.part) == 0 {
			n := bytes.IndexByte(p[i:], 0x1b)
			if n < 0 {
				return
			}
			i += n
		}
		if p[i] == 0x1b {
			f.part = f.part[:0]
		}
		f.part = append(f.part, p[i])
		begins := false
		for _, w := range f.want {
			if string(f.part) == w {
				found(w, i+1)
				break
			}
			begins = begins || strings.HasPrefix(w, string(f.part))
		}
		if !begins {
			f.part = f.part[:0]
		}
	}
}
