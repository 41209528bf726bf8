package cli

import (
	"encoding/json"
	"fmt"

	"deck/term/wire"
)

// keys sends what the terminal says.
func (r *relayer) keys() {
	answers := follower{want: []string{tellStatus}}
	buf := make([]byte, 64<<10)
	for {
		n, err := r.tty.read(buf)
		if err != nil {
			r.end(ending{err: fmt.Errorf("the terminal is gone: %w", err)})
			return
		}
		answers.feed(buf[:n], func(string, int) {
			r.owed.Add(-1)
			notify(r.paid)
		})
		if r.quiet.Load() {
			continue
		}
		if err := r.stream.Input(buf[:n]); err != nil {
			// The reader of frames finds out why, with the server's last words.
			r.quiet.Store(true)
		}
	}
}

// frames reads what the server says.
func (r *relayer) frames() {
	defer r.out.close()
	seen := follower{want: []string{enterAlternate, leaveAlternate, askStatus}}
	for {
		t, p, err := r.stream.Read()
		if err != nil {
			r.end(ending{err: fmt.Errorf("%w: %w", errLost, err)})
			return
		}
		switch t {
		case wire.FrameOutput:
			r.show(r.audible(p, &seen))
		case wire.FrameExit:
			var e wire.Exit
			if err := json.Unmarshal(p, &e); err != nil {
				r.end(ending{err: fmt.Errorf("the server's last words: %w", err)})
				return
			}
			// Where there is no alternate screen, its last words tell that
			// the server has given the terminal back.
			r.state.CompareAndSwap(drawn, untouched)
			r.end(ending{exit: e})
			return
		}
	}
}

// show gives the terminal bytes: at once what it takes without being waited for,
// so that a key's echo needs no other goroutine, and the rest in its turn.
func (r *relayer) show(p []byte) {
	if r.tty.same && r.out.idle() && r.pen.TryLock() {
		p = p[r.tty.now.WriteNow(p):]
		r.pen.Unlock()
	}
	if len(p) > 0 {
		r.out.put(p)
	}
}

// audible returns what of the output the terminal is to get, and keeps account
// of what it asks of the terminal. After a pause that is nothing until the
// server has entered the terminal again.
func (r *relayer) audible(p []byte, seen *follower) []byte {
	from := 0
	muted := r.muted.Load()
	if !muted {
		r.state.CompareAndSwap(untouched, drawn)
	}
	seen.feed(p, func(seq string, end int) {
		switch seq {
		case enterAlternate:
			r.state.Store(alternate)
			if muted {
				from = max(0, end-len(seq))
				muted = false
				r.muted.Store(false)
			}
		case leaveAlternate:
			if !muted {
				r.state.Store(untouched)
			}
		case askStatus:
			if !muted {
				r.owed.Add(1)
			}
		}
	})
	if muted {
		return nil
	}
	return p[from:]
}

// draw writes to the terminal what waits for it.
func (r *relayer) draw() {
	defer close(r.done)
	for {
		p, err := r.out.take()
		if err != nil {
			return
		}
		r.pen.Lock()
		_, err = r.tty.out.Write(p)
		r.pen.Unlock()
		if err != nil {
			r.end(ending{err: fmt.Errorf("the terminal is gone: %w", err)})
			return
		}
	}
}
