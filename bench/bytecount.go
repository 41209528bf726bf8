package main

import "time"

// byteCounts measures how much a client is sent for what programs do all day.
func (b *bench) byteCounts() error {
	kinds := []struct {
		what   string
		pane   []string
		beside []string
		most   float64
	}{
		{"bytes for a key", b.pane("echo"), nil, 1},
		{"bytes a second, spinner", b.pane("spinner"), nil, 1},
		{"bytes a second, log", b.pane("log"), nil, 1},
		{"bytes a second, agent that repaints", b.pane("agent"), nil, 0.2},
		{"bytes a second, bursts of 2000 lines", b.pane("burst"), nil, 0.2},
		{"bytes a second, log beside an agent", b.pane("log"), b.pane("agent"), 1},
	}
	for i, k := range kinds {
		counts := samples{}
		err := b.each(1, func(m mux) error {
			n, err := b.countBytes(m, k.pane, k.beside, i == 0)
			counts.add(m.name(), n)
			return err
		})
		if err != nil {
			return err
		}
		b.report.compare(row{what: k.what, unit: "B", most: k.most}, counts)
	}
	return nil
}

func (b *bench) countBytes(m mux, pane, beside []string, typing bool) (float64, error) {
	t, err := m.start(b.cols, b.rows, 10000, pane)
	if err != nil {
		return 0, err
	}
	defer t.close()
	if err := t.wait(startLimit); err != nil {
		return 0, err
	}
	if beside != nil {
		if _, err := m.split("", false, beside); err != nil {
			return 0, err
		}
	}
	// The screen fills, and what is drawn once has been.
	time.Sleep(b.span(time.Second, 4, 3))
	before := t.received()
	if typing {
		const n = 100
		for i := range n {
			t.send(string("abcdefghij"[i%10]))
			time.Sleep(25 * time.Millisecond)
		}
		t.settle(100*time.Millisecond, time.Second)
		return float64(t.received()-before) / n, nil
	}
	d := b.span(time.Second, 8, 1)
	time.Sleep(d)
	return float64(t.received()-before) / d.Seconds(), nil
}
