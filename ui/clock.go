package ui

import "time"

// How long the shown ages stay right: below a minute they count in steps of ten
// seconds, below an hour in minutes.
const (
	secondsStep = 10 * time.Second
	minutesStep = time.Minute
	hoursStep   = time.Hour
)

// clock takes the time, and has drawn anew what shows another age by it.
func (m *Model) clock(now time.Time) {
	was := m.now
	m.now = now
	for _, p := range m.state.Panes {
		if p.Agent != "" && age(p.Status.Since, was) != age(p.Status.Since, now) {
			m.touch()
			break
		}
	}
	m.refreshAttention()
}

// clockStep is after how long the model wants to know the time again, false
// where it shows none.
func (m *Model) clockStep() (time.Duration, bool) {
	step, shown := hoursStep, false
	for _, p := range m.state.Panes {
		if p.Agent == "" || p.Status.Since.IsZero() {
			continue
		}
		shown = true
		switch d := m.now.Sub(p.Status.Since); {
		case d < time.Minute:
			return secondsStep, true
		case d < time.Hour:
			step = minutesStep
		}
	}
	if len(m.snoozed) > 0 {
		step = min(step, minutesStep)
	}
	return step, shown
}
