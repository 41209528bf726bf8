package server

import (
	"context"
	"time"

	"deck/term/wire"
)

// maxBehind is how many events a subscriber may be behind before it is cut
// off.
const maxBehind = 1024

// subscription is one reader of the events. Its channel begins with a snapshot
// and ends when the reader is too slow, after an event that says so, or when
// the server ends.
type subscription struct {
	events chan wire.Event
}

// subscribe begins to follow the events. The caller ends it with unsubscribe.
func (l *loop) subscribe(ctx context.Context) (*subscription, error) {
	return call(ctx, l, func() (*subscription, error) {
		l.flush()
		s := &subscription{events: make(chan wire.Event, maxBehind)}
		snapshot := wire.Event{Type: "snapshot", Seq: l.seq, Time: stamp(), Panes: []wire.Pane{}}
		for _, p := range l.inOrder() {
			snapshot.Panes = append(snapshot.Panes, p.wire())
			if p.status().Agent != "" {
				snapshot.Agents = append(snapshot.Agents, p.row(time.Now()))
			}
		}
		s.events <- snapshot
		l.subs[s] = struct{}{}
		return s, nil
	})
}

// unsubscribe ends a subscription. It does not wait.
func (l *loop) unsubscribe(s *subscription) {
	l.post(func() {
		if _, ok := l.subs[s]; ok {
			delete(l.subs, s)
			s.end()
		}
	})
}

// end tells the reader that nothing more comes. Only the loop may call it, since
// only the loop sends.
func (s *subscription) end() { close(s.events) }

// emit gives an event to every subscriber.
func (l *loop) emit(e wire.Event) {
	l.seq++
	e.Seq, e.Time = l.seq, stamp()
	for s := range l.subs {
		if len(s.events) < cap(s.events)-1 {
			s.events <- e
			continue
		}
		// Only the loop sends, so the last place is free.
		s.events <- wire.Event{Type: "lost", Seq: e.Seq, Time: e.Time,
			Message: "the reader is too slow, events were lost: connect again for a snapshot"}
		delete(l.subs, s)
		s.end()
	}
}

// stamp is the time of an event. It is finer than a second, so that a reader can
// tell how long things took.
func stamp() string { return time.Now().Format(time.RFC3339Nano) }
