package main

import (
	"errors"
	"math/rand/v2"
	"time"
)

// echo measures from a key's byte into the client to its character out of it.
func (b *bench) echo() error {
	surroundings := []struct {
		what        string
		around      func(m mux) error
		most, limit float64
	}{
		{"echo, quiet", func(mux) error { return nil }, 1.3, 0},
		{"echo, a visible neighbour runs yes", func(m mux) error {
			_, err := m.split("", false, []string{"yes"})
			return err
		}, 0.5, 0},
		{"echo, 10 panes of spinners in sight", func(m mux) error { return tile(m, 10, b.pane("spinner")) }, 1, 0},
	}
	for _, s := range surroundings {
		times := samples{}
		err := b.each(b.rounds, func(m mux) error { return b.echoes(m, s.around, times) })
		if err != nil {
			return err
		}
		x := row{what: s.what + ", p50", unit: "ms", most: s.most}
		if s.most > 1 && len(times["tmux"]) > 0 {
			x.limit = times["tmux"].median() + 0.5
		}
		b.report.compare(x, times)
		for _, q := range []struct {
			name  string
			share float64
		}{{"p90", 0.9}, {"p99", 0.99}} {
			b.report.add(row{what: s.what + ", " + q.name, unit: "ms", tmux: times["tmux"].at(q.share), deck: times["deck"].at(q.share)})
		}
	}
	return nil
}

// echoes types into the first pane of a new server.
func (b *bench) echoes(m mux, around func(mux) error, times samples) error {
	t, err := m.start(b.cols, b.rows, 10000, b.pane("echo"))
	if err != nil {
		return err
	}
	defer t.close()
	if err := t.wait(startLimit); err != nil {
		return err
	}
	if err := around(m); err != nil {
		return err
	}
	b.lift(m, t)
	t.settle(200*time.Millisecond, b.span(time.Millisecond, 1500, 700))
	return typeKeys(t, less(b, 150, 15), 2*time.Second, func(d time.Duration) { times.add(m.name(), milliseconds(d)) })
}

// typeKeys types and takes back one character after the other, about as fast as
// a person does with both hands. One that is not echoed counts as the limit.
func typeKeys(t *terminal, n int, limit time.Duration, took func(time.Duration)) error {
	for i := range n {
		key := keys[i%len(keys)]
		t.expect(key)
		start := time.Now()
		t.send(string(key))
		seen, err := t.when(limit)
		switch {
		case err == nil:
			took(seen.Sub(start))
		case errors.Is(err, errUnseen):
			took(limit)
		default:
			return err
		}
		pause()
		t.send("\x7f")
		pause()
	}
	return nil
}

// pause is never the same, so that nothing falls in step with frames.
func pause() { time.Sleep(time.Duration(30+rand.IntN(60)) * time.Millisecond) }

// tile divides the first pane until there are n in sight.
func tile(m mux, n int, argv []string) error {
	type piece struct {
		id   string
		down bool
	}
	pieces := []piece{{}}
	for len(pieces) < n {
		p := pieces[0]
		id, err := m.split(p.id, p.down, argv)
		if err != nil {
			return err
		}
		pieces = append(pieces[1:], piece{p.id, !p.down}, piece{id, !p.down})
	}
	return nil
}

// slowLink types through a link as slow as a bad mobile connection while the
// neighbour floods.
func (b *bench) slowLink() error {
	times := samples{}
	err := b.each(1, func(m mux) error { return b.farEchoes(m, times) })
	if err != nil {
		return err
	}
	b.report.compare(row{what: "echo over 50 KB/s and 60 ms beside a flood, p50", unit: "ms", limit: 150}, times)
	b.report.add(row{what: "echo over 50 KB/s and 60 ms beside a flood, worst", unit: "ms",
		tmux: times["tmux"].at(1), deck: times["deck"].at(1), limit: 500})
	return nil
}

func (b *bench) farEchoes(m mux, times samples) error {
	near, err := m.start(b.cols, b.rows, 10000, b.pane("echo"))
	if err != nil {
		return err
	}
	err = near.wait(startLimit)
	if err == nil {
		_, err = m.split("", false, []string{"sh", "-c", "while :; do seq 1000000 1100000; done"})
	}
	near.close()
	if err != nil {
		return err
	}
	l := newLink(50<<10, 60*time.Millisecond, 2<<20)
	t, err := m.attach(l, b.cols, b.rows)
	if err != nil {
		return err
	}
	defer t.close()
	b.lift(m, t)
	t.settle(200*time.Millisecond, b.span(time.Second, 3, 1))
	n := less(b, 60, 10)
	if m.name() == "tmux" {
		n = less(b, 12, 2) // each may take the whole limit
	}
	return typeKeys(t, n, b.span(time.Second, 10, 3), func(d time.Duration) { times.add(m.name(), milliseconds(d)) })
}
