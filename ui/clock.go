package ui

import "time"

// ageSteps are in what steps an age counts below a limit, and how seldom it is
// enough to look at it: ages that change at about the same time are drawn
// together.
var ageSteps = []struct{ below, step, rest time.Duration }{
	{time.Minute, 10 * time.Second, 2 * time.Second},
	{time.Hour, time.Minute, 20 * time.Second},
	{24 * time.Hour, time.Hour, 10 * time.Minute},
}

// clock takes the time, and has drawn anew what shows another age by it.
func (m *Model) clock(now time.Time) {
	was := m.now
	m.now = now
	for i := range m.state.Panes {
		p := &m.state.Panes[i]
		if p.Agent != "" && age(since(*p), was) != age(since(*p), now) {
			m.touch()
			break
		}
	}
	m.refreshAttention()
}

// clockStep is after how long the model wants to know the time again, because
// an age becomes another; false where it shows none.
func (m *Model) clockStep() (wait time.Duration, shown bool) {
	wait = time.Hour
	for i := range m.state.Panes {
		p := &m.state.Panes[i]
		from := since(*p)
		if p.Agent == "" || from.IsZero() {
			continue
		}
		shown = true
		d := max(m.now.Sub(from), 0)
		for _, s := range ageSteps {
			if d < s.below {
				wait = min(wait, max(s.step-d%s.step, s.rest))
				break
			}
		}
	}
	if len(m.snoozed) > 0 {
		wait = min(wait, time.Minute)
	}
	return wait, shown
}
