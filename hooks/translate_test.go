package hooks

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"deck/lifecycle"
)

var update = flag.Bool("update", false, "write what is wanted from what is")

// payloads reads ../testdata/hooks/AGENT.txt: comments, lines of an event and
// its payload, and below each what it means, indented.
func payloads(t testing.TB, agent string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "testdata", "hooks", agent+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}

func TestPayloadsMeanReports(t *testing.T) {
	t.Parallel()
	for _, a := range agents {
		if !a.CanReport() {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			var got strings.Builder
			lines := payloads(t, a.Name)
			for i, line := range lines {
				if strings.HasPrefix(line, "\t") {
					continue
				}
				got.WriteString(line)
				if i < len(lines)-1 {
					got.WriteByte('\n')
				}
				if event, body, ok := strings.Cut(line, " "); ok && event != "#" {
					got.WriteString(meaning(t, a, event, body))
				}
			}
			if *update {
				if err := os.WriteFile(filepath.Join("..", "testdata", "hooks", a.Name+".txt"), []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(strings.Join(lines, "\n"), got.String()); d != "" {
				t.Error(d)
			}
		})
	}
}

// meaning renders an outcome, a line each for its reports and for the rest.
func meaning(t *testing.T, a Agent, event, body string) string {
	t.Helper()
	o, err := a.Translate(event, []byte(body))
	if err != nil {
		return "\t! " + err.Error() + "\n"
	}
	var b strings.Builder
	for _, r := range o.Reports {
		if err := r.Validate(); err != nil {
			t.Errorf("%s %s: %v", event, body, err)
		}
		if r.Source != "integration:"+a.Name || r.Agent != a.Name || r.TTLMillis != 120_000 {
			t.Errorf("%s: a report of %s, %s, for %d ms", event, r.Source, r.Agent, r.TTLMillis)
		}
		r.Source, r.Agent, r.TTLMillis = "", "", 0
		text, _ := json.Marshal(r)
		fmt.Fprintf(&b, "\treport %s\n", strings.Replace(string(text), `"source":"","agent":"",`, "", 1))
	}
	for _, f := range []struct {
		name string
		set  bool
	}{{"session started", o.Started}, {"prompt", o.Prompt}, {"turn ended", o.Ended}, {"blocks", o.Blocks}} {
		if f.set {
			fmt.Fprintf(&b, "\t%s\n", f.name)
		}
	}
	for _, f := range []struct{ name, text string }{{"response", o.Response}, {"transcript", o.Transcript}} {
		if f.text != "" {
			fmt.Fprintf(&b, "\t%s %q\n", f.name, f.text)
		}
	}
	for _, e := range o.Edits {
		fmt.Fprintf(&b, "\tedited %q\n", e)
	}
	if o.Ask != nil {
		fmt.Fprintf(&b, "\task %q %q %q\n", o.Ask.Tool, o.Ask.Text, o.Ask.Options)
		for _, e := range o.Ask.Edits {
			fmt.Fprintf(&b, "\task edit %q %q %q\n", e.Path, e.Old, e.New)
		}
	}
	if o.Reply != nil {
		fmt.Fprintf(&b, "\tyes %s\tno %s", o.Reply(Answer{Allow: true}), o.Reply(Answer{Message: "use make"}))
	}
	if b.Len() == 0 {
		return "\tnothing\n"
	}
	return b.String()
}

func FuzzTranslateTakesAnything(f *testing.F) {
	for _, a := range agents {
		if !a.CanReport() {
			continue
		}
		for _, line := range payloads(f, a.Name) {
			if event, body, ok := strings.Cut(line, " "); ok && !strings.HasPrefix(line, "\t") && event != "#" {
				f.Add(a.Name, event, []byte(body))
			}
		}
	}
	f.Fuzz(func(t *testing.T, name, event string, body []byte) {
		a, ok := Lookup(name)
		if !ok {
			return
		}
		o, err := a.Translate(event, body)
		if err != nil {
			return
		}
		for _, r := range o.Reports {
			text, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Validate(); err != nil {
				t.Fatalf("%s %s %q: %v", name, event, body, err)
			}
			if _, err := lifecycle.DecodeReport(text); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		if o.Reply != nil && !json.Valid(bytes.TrimSpace(o.Reply(Answer{Message: string(body)}))) {
			t.Fatal("the reply is not JSON")
		}
	})
}
