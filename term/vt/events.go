package vt

// Event is something a program said that is not about cells. The texts have no
// control characters; they are not to be trusted beyond that.
type Event interface{ event() }

// The events.
type (
	// BellEvent is BEL.
	BellEvent struct{}
	// TitleEvent says that the title changed (OSC 0 and 2).
	TitleEvent struct{ Title string }
	// DirEvent says that the working folder changed (OSC 7). Host is as the
	// program gave it and may be empty.
	DirEvent struct{ Host, Dir string }
	// NotifyEvent is a desktop notification (OSC 9, 99 and 777).
	NotifyEvent struct{ ID, Title, Body string }
	// ProgressEvent is OSC 9;4: state 0 none, 1 normal, 2 error, 3 unknown
	// extent, 4 paused; Percent is 0–100.
	ProgressEvent struct{ State, Percent int }
	// ClipboardEvent asks to set a selection (OSC 52), by default "c", to Data.
	ClipboardEvent struct {
		Selection string
		Data      []byte
	}
	// MarkEvent is a shell's mark (OSC 133): A before the prompt, B after it,
	// C before the output, D after the command, with its exit status when the
	// shell gave one, else -1.
	MarkEvent struct {
		Kind byte
		Exit int
		Row  int // of the screen, where the cursor was
	}
	// StatusEvent is a program's own status (OSC 7501), the body as sent.
	StatusEvent struct{ Body string }
	// ResetEvent says that the terminal was reset (RIS).
	ResetEvent struct{}
)

func (BellEvent) event()      {}
func (TitleEvent) event()     {}
func (DirEvent) event()       {}
func (NotifyEvent) event()    {}
func (ProgressEvent) event()  {}
func (ClipboardEvent) event() {}
func (MarkEvent) event()      {}
func (StatusEvent) event()    {}
func (ResetEvent) event()     {}

// The limits of what waits to be taken. What does not fit is dropped: the
// oldest event, the newest reply.
const (
	maxEvents  = 512
	maxReplies = 1 << 16
)

// emit keeps an event until it is taken. Of bells, titles and progress in a
// row only the last is kept.
func (e *Emulator) emit(ev Event) {
	if n := len(e.events); n > 0 && replaces(ev, e.events[n-1]) {
		e.events[n-1] = ev
		return
	}
	if len(e.events) == maxEvents {
		copy(e.events, e.events[1:])
		e.events[maxEvents-1] = ev
		return
	}
	e.events = append(e.events, ev)
}

func replaces(ev, last Event) bool {
	var same bool
	switch ev.(type) {
	case BellEvent:
		_, same = last.(BellEvent)
	case TitleEvent:
		_, same = last.(TitleEvent)
	case ProgressEvent:
		_, same = last.(ProgressEvent)
	}
	return same
}

// TakeEvents returns the events since the last call, oldest first.
func (e *Emulator) TakeEvents() []Event {
	evs := e.events
	e.events = nil
	return evs
}

// reply keeps an answer for the program. One that does not fit is dropped
// whole, so that a program that does not read never gets half a sequence.
func (e *Emulator) reply(b []byte) {
	if len(e.replies)+len(b) <= maxReplies {
		e.replies = append(e.replies, b...)
	}
}

// TakeReplies appends to dst what the program is to be told, in the order it
// asked.
func (e *Emulator) TakeReplies(dst []byte) []byte {
	dst = append(dst, e.replies...)
	e.replies = e.replies[:0]
	return dst
}
