package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"deck/lifecycle"
)

// ticks lets a sample agent's time go on until it is not busy.
func ticks(d *demo) {
	for i := 0; d.busy() && i < 1000; i++ {
		d.tick()
	}
}

func TestDemoScripts(t *testing.T) {
	t.Parallel()
	for role, want := range map[string][]demoSaid{
		roleStatus: {{state: lifecycle.NeedsInput, reason: lifecycle.Approval, message: "approve Bash: go test ./..."},
			{state: lifecycle.NeedsInput, reason: lifecycle.Question, message: demoQuestion}, {state: lifecycle.Done}},
		roleReport: {{state: lifecycle.NeedsInput, reason: lifecycle.Approval, message: "approve Bash: go test ./..."},
			{state: lifecycle.Blocked, reason: lifecycle.ToolError, message: "the model is overloaded"}},
		roleDies: {{state: lifecycle.Working}},
	} {
		d, err := newDemo(role, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []demoSaid
		for range want {
			ticks(d)
			got = append(got, d.said)
			d.key("1")
		}
		if df := cmp.Diff(want, got, cmp.AllowUnexported(demoSaid{})); df != "" {
			t.Errorf("%s: %s", role, df)
		}
		if died := d.ended && d.code == 1; died != (role == roleDies) {
			t.Errorf("%s: ended %v, exit status %d", role, d.ended, d.code)
		}
	}
}

func TestDemoKeys(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, steps string
		keys        []string
		state       lifecycle.State
		last        string // of what it has said
	}{
		{"approved by number", "ask hold", []string{"1"}, lifecycle.Working, "  ⎿ ok"},
		{"approved by enter", "ask hold", []string{demoEnter}, lifecycle.Working, "  ⎿ ok"},
		{"denied by number", "ask hold", []string{"2"}, lifecycle.Idle, "  ⎿ denied"},
		{"denied by arrow and enter", "ask hold", []string{demoDown, demoEnter}, lifecycle.Idle, "  ⎿ denied"},
		{"denied by esc", "ask hold", []string{demoEscape}, lifecycle.Idle, "  ⎿ denied"},
		{"other keys answer nothing", "ask hold", []string{"y", "3", " "}, lifecycle.NeedsInput, "> make the parser pass its tests"},
		{"answered", "question hold", []string{demoUp, demoEnter}, lifecycle.Working, "  ⎿ Read"},
		{"not answered", "question hold", []string{demoEscape}, lifecycle.Idle, "  ⎿ not answered"},
		{"interrupted", "hold ask", []string{demoEscape}, lifecycle.Idle, "  ⎿ interrupted"},
		{"goes on", "hold ask", []string{demoEnter}, lifecycle.NeedsInput, "> make the parser pass its tests"},
		{"a turn", "done", []string{"h", "i", demoEnter}, lifecycle.Working, "> hi"},
		{"steps", "done", []string{"a", "s", "k", demoEnter}, lifecycle.NeedsInput, "> ask"},
		{"a draft is dropped", "done", []string{"a", demoEscape, demoEnter}, lifecycle.Done, "● Done. The tests pass."},
		{"a key is taken back", "done", []string{"h", "é", demoBackspace, "o", demoEnter}, lifecycle.Working, "> ho"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d, err := newDemo(roleScreen, strings.Fields(test.steps))
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range test.keys {
				d.key(k)
			}
			last := ""
			for _, l := range d.log {
				if l != "" {
					last = l
				}
			}
			if d.said.state != test.state || last != test.last {
				t.Errorf("%s after %q, not %s after %q", d.said.state, last, test.state, test.last)
			}
		})
	}
}

func TestDemoQuits(t *testing.T) {
	t.Parallel()
	d, err := newDemo(roleScreen, []string{"done"})
	if err != nil {
		t.Fatal(err)
	}
	d.key("x")
	if d.key(demoInterrupt); d.ended {
		t.Error("ended with a draft")
	}
	if d.key(demoInterrupt); !d.ended || d.code != 0 {
		t.Error("did not quit")
	}
}

func TestDemoFitsAnyScreen(t *testing.T) {
	t.Parallel()
	for _, steps := range []string{"work", "ask", "question", "fail"} {
		d, err := newDemo(roleScreen, []string{steps})
		if err != nil {
			t.Fatal(err)
		}
		for cols := 1; cols < 90; cols += 4 {
			for rows := 1; rows < 30; rows++ {
				out, x, y := d.rows(cols, rows)
				if len(out) > rows || y >= rows || x >= cols {
					t.Fatalf("%s at %dx%d: %d rows, cursor %d,%d", steps, cols, rows, len(out), x, y)
				}
			}
		}
	}
}

func TestDemoScreen(t *testing.T) {
	t.Parallel()
	d, err := newDemo(roleScreen, []string{"ask"})
	if err != nil {
		t.Fatal(err)
	}
	rows, _, _ := d.rows(34, 12)
	want := `> make the parser pass its tests

╭────────────────────────────────╮
│ Run this command?              │
│                                │
│   $ go test ./...              │
│                                │
│ ❯ 1. Yes                       │
│   2. No, go on without it (es… │
╰────────────────────────────────╯`
	if df := cmp.Diff(strings.Split(want, "\n"), rows); df != "" {
		t.Error(df)
	}
}

func TestSplitKeys(t *testing.T) {
	t.Parallel()
	got := splitKeys([]byte("a\x1b[A\x1b\x1b[1;5Bé\r\n\x1b]11;rgb:0/0/0\x1b\\x\x1b"))
	want := []string{"a", "\x1b[A", "\x1b", "\x1b[1;5B", "é", "\r", "\r", "\x1b]11;rgb:0/0/0\x1b\\", "x", "\x1b"}
	if df := cmp.Diff(want, got); df != "" {
		t.Error(df)
	}
}

func FuzzDemoTakesAnyKeys(f *testing.F) {
	f.Add("ask\r1\x1b[B\r\x1b]")
	f.Fuzz(func(t *testing.T, typed string) {
		d, err := newDemo(roleStatus, []string{"done"})
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range splitKeys([]byte(typed)) {
			if d.ended {
				return
			}
			d.key(k)
			d.tick()
			d.rows(20, 5)
		}
	})
}

func TestDemoSaysInBand(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		said demoSaid
		want string
	}{
		{demoSaid{state: lifecycle.Working}, "state=working:app=deck-demo"},
		{demoSaid{state: lifecycle.Done}, "state=done:app=deck-demo"},
		{demoSaid{lifecycle.NeedsInput, lifecycle.Approval, "hi"}, "state=blocked:app=deck-demo:kind=permission:msg=aGk="},
		{demoSaid{lifecycle.NeedsInput, lifecycle.Question, ""}, "state=blocked:app=deck-demo:kind=question"},
		{demoSaid{lifecycle.Blocked, lifecycle.ToolError, ""}, "state=error:app=deck-demo"},
	} {
		if df := cmp.Diff("\x1b]7501;"+test.want+"\x1b\\", inBand(test.said)); df != "" {
			t.Error(df)
		}
	}
}
