package term

import "deck/term/vt"

// Event is something that a program told its terminal besides text: one of
// the types below, or another of the emulator's. The texts have no control
// characters; they are not to be trusted beyond that.
type Event = vt.Event

// The events.
type (
	// TitleEvent is a new window title (OSC 0, 2).
	TitleEvent = vt.TitleEvent
	// DirEvent is a new working folder (OSC 7).
	DirEvent = vt.DirEvent
	// BellEvent is BEL.
	BellEvent = vt.BellEvent
	// NotifyEvent is a notification for the person (OSC 9, 99, 777).
	NotifyEvent = vt.NotifyEvent
	// ClipboardEvent is data for the person's clipboard (OSC 52).
	ClipboardEvent = vt.ClipboardEvent
	// ProgressEvent is a progress bar (OSC 9;4).
	ProgressEvent = vt.ProgressEvent
	// MarkEvent is a shell's mark (OSC 133).
	MarkEvent = vt.MarkEvent
	// StatusEvent is a program's own status (OSC 7501), its body as sent.
	StatusEvent = vt.StatusEvent
	// ResetEvent is a reset of the terminal (RIS).
	ResetEvent = vt.ResetEvent
)

// maxEvents bounds the events that wait to be taken; the oldest go first. It
// leaves room for all the records that a program may report at once.
const maxEvents = 512

// keepEvents appends events; of those that only say how something is, the
// newest of a kind is kept.
func keepEvents(kept, more []Event) []Event {
	for _, e := range more {
		kept = append(dropKind(kept, e), e)
	}
	if n := len(kept) - maxEvents; n > 0 {
		kept = append(kept[:0], kept[n:]...)
	}
	return kept
}

// dropKind removes the event that e makes void.
func dropKind(kept []Event, e Event) []Event {
	for i, k := range kept {
		if replaces(e, k) {
			return append(kept[:i], kept[i+1:]...)
		}
	}
	return kept
}

// replaces reports whether an event makes an older one void.
func replaces(e, older Event) (same bool) {
	switch e.(type) {
	case TitleEvent:
		_, same = older.(TitleEvent)
	case DirEvent:
		_, same = older.(DirEvent)
	case ClipboardEvent:
		_, same = older.(ClipboardEvent)
	case BellEvent:
		_, same = older.(BellEvent)
	case vt.ProgressEvent:
		_, same = older.(vt.ProgressEvent)
	}
	return same
}
