package paint

import "time"

// StatusRequest is DSR 5: a terminal answers it when it has taken all that was
// sent before.
const StatusRequest = "\x1b[5n"

// IsStatusReply reports whether a terminal's reply answers a StatusRequest.
func IsStatusReply(raw []byte) bool {
	s := string(raw)
	return s == "\x1b[0n" || s == "\x1b[3n"
}

// Forever is the wait of a Pacer that has nothing to do until it is told
// something.
const Forever = time.Duration(1<<63 - 1)

const (
	frameTime  = 16 * time.Millisecond
	askEvery   = 2 << 10 // bytes between two StatusRequests
	slowest    = 500     // bytes a second that any line takes, whatever else it does
	mostAhead  = 8 << 10 // unanswered bytes that stop drawing
	stallLimit = 3 * time.Second
)

// Pacer decides when the next frame is drawn: at once after quiet, one early
// frame for each input, else one every 16 ms, never before the last one was
// written, and never more than about 8 KB ahead of what the terminal said it
// has taken: ssh and the kernel swallow megabytes before a write blocks, so
// only the terminal's own answer tells how late a key's echo would be. Its
// zero value is ready. One goroutine uses it.
type Pacer struct {
	dirty    bool
	typed    bool // an input came that no early frame answered
	early    bool // something changed after it
	writing  bool // between Next's true and Wrote
	begun    bool // last is set
	last     time.Time
	answers  bool      // the terminal answered; one that never does stops nothing
	progress time.Time // of the newest answer, or of what waits for the first one
	loose    int       // bytes sent since the last request that may still be on their way
	pending  int       // requests that are not answered
	marks    [16]int   // bytes up to and with each pending request, oldest first
	Mute     bool      // the terminal answers no StatusRequest: none is sent
}

// Busy says that there is something to draw that the person does not wait for.
func (p *Pacer) Busy() { p.dirty = true }

// IsDirty reports whether a frame is to come.
func (p *Pacer) IsDirty() bool { return p.dirty }

// Dirty says that there is something to draw. After an Input it is drawn at
// once.
func (p *Pacer) Dirty(now time.Time) {
	p.dirty = true
	if p.typed {
		p.typed, p.early = false, true
	}
}

// Input says that the person pressed something: the next change after it is
// drawn at once.
func (p *Pacer) Input(now time.Time) { p.typed = true }

// Next tells whether to draw, and if not, after which time to ask again
// (Forever: not before another method was called). After true the caller
// paints, calls Stamp, writes, and calls Wrote.
func (p *Pacer) Next(now time.Time) (wait time.Duration, draw bool) {
	if !p.dirty || p.writing {
		return Forever, false
	}
	if p.answers && p.Ahead() >= mostAhead {
		if d := p.progress.Add(stallLimit).Sub(now); d > 0 {
			return d, false
		}
		// No answer for so long is one that was lost; start to count anew.
		p.pending, p.loose, p.answers = 0, 0, false
	}
	if d := p.last.Add(frameTime).Sub(now); p.begun && !p.early && d > 0 {
		return d, false
	}
	p.leak(now)
	p.dirty, p.early, p.writing, p.begun = false, false, true, true
	p.last = now
	return 0, true
}

// leak forgets what the slowest line has taken since the last frame: letters
// and spinners are far from filling one, and asking about them would be a good
// part of what they cost.
func (p *Pacer) leak(now time.Time) {
	if p.pending == 0 && p.begun {
		taken := now.Sub(p.last).Seconds() * slowest
		p.loose = max(0, p.loose-int(min(taken, askEvery)))
	}
}

// Stamp appends a StatusRequest to a frame where one is due. It may need four
// bytes more than the frame has.
func (p *Pacer) Stamp(frame []byte) []byte {
	p.loose += len(frame)
	if p.Mute || p.loose < askEvery || p.pending == len(p.marks) {
		return frame
	}
	p.marks[p.pending] = p.loose
	p.pending++
	p.loose = 0
	return append(frame, StatusRequest...)
}

// Wrote says that the transport accepted a frame of n bytes, Stamp's included;
// 0 where there was nothing to write.
func (p *Pacer) Wrote(now time.Time, n int) {
	p.writing = false
	if n > 0 && p.pending == 1 {
		p.progress = now
	}
}

// Acked says that n answers to StatusRequests came. More than were asked for
// mean that none is waited for any more, whoever was asked.
func (p *Pacer) Acked(now time.Time, n int) {
	p.answers = p.answers || n > 0 && n <= p.pending
	n = min(n, p.pending)
	copy(p.marks[:], p.marks[n:p.pending])
	p.pending -= n
	p.progress = now
}

// Ahead returns how many bytes were sent that the terminal did not answer for.
// Bytes after the newest request count only together with one before them.
func (p *Pacer) Ahead() int {
	n := 0
	for _, m := range p.marks[:p.pending] {
		n += m
	}
	if n > 0 {
		n += p.loose
	}
	return n
}
