package realtest

import (
	"context"
	"sync"
	"time"
)

// moment is something that was so from at on.
type moment[T any] struct {
	at  time.Time
	val T
}

// record keeps what was seen, in order, for those who look for it later.
type record[T any] struct {
	mu   sync.Mutex
	all  []moment[T]
	news chan struct{} // closed by the next one
}

func newRecord[T any]() *record[T] { return &record[T]{news: make(chan struct{})} }

func (r *record[T]) add(v T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, moment[T]{time.Now(), v})
	close(r.news)
	r.news = make(chan struct{})
}

// since returns what came after a time.
func (r *record[T]) since(at time.Time) []moment[T] {
	r.mu.Lock()
	defer r.mu.Unlock()
	from := len(r.all)
	for from > 0 && r.all[from-1].at.After(at) {
		from--
	}
	return r.all[from:len(r.all):len(r.all)]
}

func (r *record[T]) last() (v T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.all); n > 0 {
		v = r.all[n-1].val
	}
	return v
}

// wait returns the first moment after a time that matches.
func (r *record[T]) wait(ctx context.Context, after time.Time, match func(T) bool) (moment[T], error) {
	for {
		r.mu.Lock()
		news := r.news
		r.mu.Unlock()
		for _, m := range r.since(after) {
			if match(m.val) {
				return m, nil
			}
			after = m.at
		}
		select {
		case <-news:
		case <-ctx.Done():
			return moment[T]{}, ctx.Err()
		}
	}
}

// rest returns when nothing came for a while, or after a longer one.
func (r *record[T]) rest(quiet, most time.Duration) {
	end := time.After(most)
	for {
		r.mu.Lock()
		news := r.news
		r.mu.Unlock()
		select {
		case <-news:
		case <-time.After(quiet):
			return
		case <-end:
			return
		}
	}
}
