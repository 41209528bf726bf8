package main

import "time"

// throughput measures from the key that starts a program to its last character
// drawn at the client's terminal.
func (b *bench) throughput() error {
	for _, c := range corpora {
		mb := less(b, c.mb, c.short)
		times, sent := samples{}, samples{}
		err := b.each(b.rounds, func(m mux) error {
			took, bytes, err := b.emit(m, c.kind, mb)
			times.add(m.name(), took.Seconds())
			sent.add(m.name(), float64(bytes)/1024)
			return err
		})
		if err != nil {
			return err
		}
		what := "output of " + itoa(mb) + " MB, " + c.kind
		b.report.compare(row{what: what, unit: "s", most: 0.6}, times)
		b.report.compare(row{what: what + ": sent to the client", unit: "KB"}, sent)
	}
	return nil
}

func (b *bench) emit(m mux, kind string, mb int) (time.Duration, int64, error) {
	t, err := m.start(b.cols, b.rows, 10000, b.pane("emit", kind, itoa(mb)))
	if err != nil {
		return 0, 0, err
	}
	defer t.close()
	if err := t.wait(startLimit); err != nil {
		return 0, 0, err
	}
	b.lift(m, t)
	t.settle(200*time.Millisecond, startLimit)
	before := t.received()
	t.expect(mark)
	start := time.Now()
	t.send("g")
	end, err := t.when(3 * time.Minute)
	if err != nil {
		return 0, 0, err
	}
	return end.Sub(start), t.received() - before, nil
}
