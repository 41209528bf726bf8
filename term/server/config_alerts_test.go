package server

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"deck/lifecycle"
	"deck/ui"
)

func TestAlertsOfTheConfigurationReachTheScreen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want ui.Alerts
	}{
		{"", ui.Alerts{States: []lifecycle.State{lifecycle.NeedsInput, lifecycle.Blocked}}},
		{"[alerts]\nenabled = false\n", ui.Alerts{Off: true, States: []lifecycle.State{lifecycle.NeedsInput, lifecycle.Blocked}}},
		{"[alerts]\nstates = ['done']\nbell_only = true\nquiet_hours = '22:00 - 07:30'\n",
			ui.Alerts{States: []lifecycle.State{lifecycle.Done}, BellOnly: true, QuietFrom: 22 * 60, QuietTo: 7*60 + 30}},
		{"[alerts]\nstates = []\n", ui.Alerts{States: []lifecycle.State{}}},
	} {
		path := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := loadConfig(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got.settings().Alerts); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}
