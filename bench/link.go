package main

import (
	"sync"
	"time"
)

// link is a slow connection between a client and its terminal, as through ssh:
// what the client writes is taken at once until the window is full, and reaches
// the terminal at a rate and after half a round trip.
type link struct {
	rate   int // bytes a second
	trip   time.Duration
	window int

	mu   sync.Mutex
	room sync.Cond
	held int // guarded by mu: bytes on the way
	t    *terminal
	way  chan parcel
	keys chan parcel
}

// parcel is bytes on their way since a moment.
type parcel struct {
	data []byte
	sent time.Time
}

func newLink(rate int, trip time.Duration, window int) *link {
	l := &link{rate: rate, trip: trip, window: window, way: make(chan parcel, 1<<16), keys: make(chan parcel, 1<<10)}
	l.room.L = &l.mu
	return l
}

func (l *link) open(t *terminal) {
	l.t = t
	go l.carryDown()
	go l.carryUp()
}

// down takes what the client wrote; where the window is full it waits.
func (l *link) down(p []byte) {
	l.mu.Lock()
	for l.held+len(p) > l.window {
		l.room.Wait()
	}
	l.held += len(p)
	l.mu.Unlock()
	l.way <- parcel{append([]byte(nil), p...), time.Now()}
}

// packet is how much arrives at a time.
const packet = 256

func (l *link) carryDown() {
	var free time.Time // when the wire has sent all before
	for {
		var p parcel
		select {
		case p = <-l.way:
		case <-l.t.gone:
			return
		}
		for rest := p.data; len(rest) > 0; {
			n := min(len(rest), packet)
			if free.Before(p.sent) {
				free = p.sent
			}
			free = free.Add(time.Duration(n) * time.Second / time.Duration(l.rate))
			time.Sleep(time.Until(free.Add(l.trip / 2)))
			l.t.show(rest[:n], time.Now())
			rest = rest[n:]
			l.mu.Lock()
			l.held -= n
			l.mu.Unlock()
			l.room.Signal()
		}
	}
}

// up takes what the terminal says; it arrives after half a round trip.
func (l *link) up(s string) {
	l.keys <- parcel{[]byte(s), time.Now()}
}

func (l *link) carryUp() {
	for {
		select {
		case p := <-l.keys:
			time.Sleep(time.Until(p.sent.Add(l.trip / 2)))
			_, _ = l.t.pty.Write(p.data)
		case <-l.t.gone:
			return
		}
	}
}
