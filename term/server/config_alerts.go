package server

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"deck/lifecycle"
	"deck/ui"
)

// alertsConfig is the table alerts: when and how a person is told that an
// agent came to need them.
type alertsConfig struct {
	Enabled    bool     `toml:"enabled"`
	States     []string `toml:"states"`      // that are told of
	BellOnly   bool     `toml:"bell_only"`   // the terminal's bell instead of a notification
	QuietHours string   `toml:"quiet_hours"` // "22:00-07:30" in the server's time zone; empty: none
}

func defaultAlerts() alertsConfig {
	return alertsConfig{Enabled: true, States: []string{string(lifecycle.NeedsInput), string(lifecycle.Blocked)}}
}

// alertStates are the states whose beginning can be told of.
var alertStates = []string{string(lifecycle.NeedsInput), string(lifecycle.Blocked), string(lifecycle.Done)}

// check reports what of the table means nothing.
func (a alertsConfig) check(fault func(table, key, format string, args ...any)) {
	for _, s := range a.States {
		if !slices.Contains(alertStates, s) {
			fault("alerts", "states", "%q is not needs-input, blocked or done", s)
		}
	}
	if _, _, err := quietHours(a.QuietHours); err != nil {
		fault("alerts", "quiet_hours", "%v", err)
	}
}

// settings is the table as a client's screen takes it.
func (a alertsConfig) settings() ui.Alerts {
	out := ui.Alerts{Off: !a.Enabled, States: []lifecycle.State{}, BellOnly: a.BellOnly}
	for _, s := range a.States {
		out.States = append(out.States, lifecycle.State(s))
	}
	out.QuietFrom, out.QuietTo, _ = quietHours(a.QuietHours)
	return out
}

// quietHours reads "22:00-07:30" into minutes of the day.
func quietHours(s string) (from, to int, err error) {
	if s == "" {
		return 0, 0, nil
	}
	a, b, _ := strings.Cut(s, "-")
	begin, errA := time.Parse("15:04", strings.TrimSpace(a))
	end, errB := time.Parse("15:04", strings.TrimSpace(b))
	if errA != nil || errB != nil {
		return 0, 0, fmt.Errorf("%q is not like 22:00-07:30", s)
	}
	return begin.Hour()*60 + begin.Minute(), end.Hour()*60 + end.Minute(), nil
}
