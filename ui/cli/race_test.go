package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRunners(t *testing.T) {
	t.Parallel()
	got, err := runners("3fa2c1", []string{"claude", " codex", "claude", "mine=./wrapper --fast", "go-reviewer"})
	if err != nil {
		t.Fatal(err)
	}
	want := []*runner{
		{Name: "claude", Branch: "race/3fa2c1/claude", State: "starting"},
		{Name: "codex", Branch: "race/3fa2c1/codex", State: "starting"},
		{Name: "claude-2", Branch: "race/3fa2c1/claude-2", State: "starting"},
		{Name: "mine", Branch: "race/3fa2c1/mine", State: "starting", Command: []string{"./wrapper", "--fast"}},
		{Name: "go-reviewer", Branch: "race/3fa2c1/go-reviewer", State: "starting"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for i, agent := range []string{"claude", "codex", "claude", "mine", "go-reviewer"} {
		if got[i].agent() != agent {
			t.Errorf("%s is %s, want %s", got[i].Name, got[i].agent(), agent)
		}
	}
	for _, bad := range [][]string{nil, {"claude"}, {"claude", ""}, {"claude", "../x"}, {"claude", "-x"}, {"claude", "x="}, make([]string, 20)} {
		if _, err := runners("3fa2c1", bad); err == nil {
			t.Errorf("%q is a race", bad)
		}
	}
}

func TestParseNumstat(t *testing.T) {
	t.Parallel()
	got := parseNumstat("12\t3\ta b.go\x00-\t-\timage.png\x001\t0\twith\ttab\nand line\x00")
	want := []change{{"a b.go", 12, 3}, {"image.png", 0, 0}, {"with\ttab\nand line", 1, 0}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(change{})); diff != "" {
		t.Error(diff)
	}
	if got := parseNumstat(""); got != nil {
		t.Error(got)
	}
}

func TestRaceMessage(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]string{
		"fix it":          "fix it",
		"\n fix it \nnow": "fix it ",
		"äöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöü": "äöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöüäöü…",
	} {
		if got := raceMessage(prompt); got != want {
			t.Errorf("%q: %q, want %q", prompt, got, want)
		}
	}
}

func TestRaceStates(t *testing.T) {
	t.Parallel()
	r := &race{Check: "make"}
	for _, c := range []struct {
		u                         runner
		open, unchecked, finished bool
	}{
		{runner{State: "working"}, true, false, false},
		{runner{State: "failed", Over: true, Path: "/x"}, false, false, false},
		{runner{State: "done", Over: true, Path: "/x"}, true, true, true},
		{runner{State: "done", Over: true, Path: "/x", Check: checkRuns}, true, false, false},
		{runner{State: "idle", Over: true, Path: "/x", Check: checkOK}, false, false, true},
		{runner{State: "done", Over: true, Path: "/x", Check: "exit 2"}, false, false, false},
	} {
		r.Runners = []*runner{&c.u}
		if r.open() != c.open || r.unchecked(&c.u) != c.unchecked || c.u.finished() != c.finished {
			t.Errorf("%+v: open %v, unchecked %v, finished %v", c.u, r.open(), r.unchecked(&c.u), c.u.finished())
		}
	}
}
