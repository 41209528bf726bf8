package main

import (
	"time"
)

// reflow measures from a new size of the terminal until the program in the pane
// has heard of it and its answer is drawn, with a long history.
func (b *bench) reflow() error {
	const lines = 100000
	times := samples{}
	err := b.each(b.rounds, func(m mux) error {
		t, err := m.start(b.cols, b.rows, lines, b.pane("winch", itoa(lines)))
		if err != nil {
			return err
		}
		defer t.close()
		if err := t.wait(time.Minute); err != nil {
			return err
		}
		b.lift(m, t)
		t.settle(300*time.Millisecond, startLimit)
		for _, cols := range []int{b.cols / 2, b.cols, b.cols * 2 / 3} {
			t.expect(mark)
			start := time.Now()
			if err := t.resize(m.outer(cols, b.rows)); err != nil {
				return err
			}
			seen, err := t.when(time.Minute)
			if err != nil {
				return err
			}
			times.add(m.name(), milliseconds(seen.Sub(start)))
			t.settle(400*time.Millisecond, startLimit)
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.report.compare(row{what: "resize with 100 000 lines until the pane answers, p50", unit: "ms", limit: 50}, times)
	b.report.add(row{what: "resize with 100 000 lines until the pane answers, worst", unit: "ms", tmux: times["tmux"].at(1), deck: times["deck"].at(1)})
	return nil
}

// startUp measures from the command line to the program's first character, with
// and without a server that runs already.
func (b *bench) startUp() error {
	cold, warm := samples{}, samples{}
	err := b.each(less(b, 10, 2), func(m mux) error {
		start := time.Now()
		t, err := m.start(b.cols, b.rows, 10000, b.pane("idle"))
		if err != nil {
			return err
		}
		seen, err := t.when(startLimit)
		cold.add(m.name(), milliseconds(seen.Sub(start)))
		t.settle(200*time.Millisecond, startLimit)
		t.close()
		if err != nil {
			return err
		}
		start = time.Now()
		if t, err = m.attach(nil, b.cols, b.rows); err != nil {
			return err
		}
		defer t.close()
		seen, err = t.when(startLimit)
		warm.add(m.name(), milliseconds(seen.Sub(start)))
		return err
	})
	if err != nil {
		return err
	}
	b.report.compare(row{what: "start to a program's first character", unit: "ms"}, cold)
	b.report.compare(row{what: "attach to the same", unit: "ms"}, warm)
	return nil
}
