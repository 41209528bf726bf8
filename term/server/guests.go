package server

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// guestTime is how long the server stays for a request when its last pane is gone.
	guestTime = 30 * time.Second
	// guestRest is how long nobody asks anything before it goes. A verb says hello
	// before it says what it wants, and a script has a next verb.
	guestRest = 500 * time.Millisecond
)

// guests are the connections whose requests the server does not end under, when it
// ends by itself. Those that only watch are none.
type guests struct {
	mu    sync.Mutex
	asks  map[net.Conn]bool // guarded by mu: whether there is a request on it
	moved chan struct{}     // guarded by mu: closed at every change
}

func newGuests() *guests { return &guests{asks: map[net.Conn]bool{}, moved: make(chan struct{})} }

type guestKey struct{}

// greet notes a connection in the context of its requests.
func (g *guests) greet(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(withPeer(ctx, c), guestKey{}, c)
}

// follow is told of every connection by net/http.
func (g *guests) follow(c net.Conn, s http.ConnState) {
	g.change(func() {
		switch s {
		case http.StateNew:
			g.asks[c] = false
		case http.StateActive, http.StateIdle:
			if _, there := g.asks[c]; there {
				g.asks[c] = s == http.StateActive
			}
		case http.StateHijacked, http.StateClosed:
			delete(g.asks, c)
		}
	})
}

// watches makes the connection of a request one that the server does not stay for.
func (g *guests) watches(r *http.Request) {
	if c, ok := r.Context().Value(guestKey{}).(net.Conn); ok {
		g.change(func() { delete(g.asks, c) })
	}
}

func (g *guests) change(f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f()
	close(g.moved)
	g.moved = make(chan struct{})
}

// look returns how many ask, and a channel that is closed when anything changes.
func (g *guests) look() (asking int, moved <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, asks := range g.asks {
		if asks {
			asking++
		}
	}
	return asking, g.moved
}

// gone waits until nobody has asked anything for a while, as long as the server stays
// for that. What it returns is closed when somebody comes after all.
func (g *guests) gone(ctx context.Context) (back <-chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, guestTime)
	defer cancel()
	rest := time.NewTimer(guestRest)
	defer rest.Stop()
	for {
		asking, moved := g.look()
		rested := rest.C
		if rest.Reset(guestRest); asking > 0 {
			rested = nil
		}
		select {
		case <-moved:
		case <-rested:
			return moved
		case <-ctx.Done():
			return nil
		}
	}
}
