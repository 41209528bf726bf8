package term

// Event is something that a program told its terminal besides text: one of
// the types below. The texts are as the program sent them; whoever shows them
// cleans them.
type Event interface{ event() }

// The events.
type (
	// TitleEvent is a new window title (OSC 0, 2).
	TitleEvent struct{ Title string }
	// DirEvent is a new working folder (OSC 7), as the URL or path sent.
	DirEvent struct{ URL string }
	// BellEvent is BEL.
	BellEvent struct{}
	// NotifyEvent is a notification for the person (OSC 9, 99, 777).
	NotifyEvent struct{ Title, Body string }
	// ClipboardEvent is text for the person's clipboard (OSC 52).
	ClipboardEvent struct{ Text string }
)

func (TitleEvent) event()     {}
func (DirEvent) event()       {}
func (BellEvent) event()      {}
func (NotifyEvent) event()    {}
func (ClipboardEvent) event() {}

// maxEvents bounds the events that wait to be taken; the oldest go first.
const maxEvents = 64

// keepEvents appends events, one of a kind where only the newest matters.
func keepEvents(kept, more []Event) []Event {
	for _, e := range more {
		switch e.(type) {
		case TitleEvent, DirEvent, BellEvent:
			kept = dropKind(kept, e)
		}
		kept = append(kept, e)
	}
	if n := len(kept) - maxEvents; n > 0 {
		kept = append(kept[:0], kept[n:]...)
	}
	return kept
}

func dropKind(kept []Event, like Event) []Event {
	for i, k := range kept {
		if sameKind(k, like) {
			return append(kept[:i], kept[i+1:]...)
		}
	}
	return kept
}

func sameKind(a, b Event) bool {
	switch a.(type) {
	case TitleEvent:
		_, ok := b.(TitleEvent)
		return ok
	case DirEvent:
		_, ok := b.(DirEvent)
		return ok
	case BellEvent:
		_, ok := b.(BellEvent)
		return ok
	}
	return false
}
