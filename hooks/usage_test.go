package hooks

import (
	"strings"
	"testing"

	"deck/lifecycle"
)

func TestContextIsReadFromTheEndOfATranscript(t *testing.T) {
	t.Parallel()
	count := func(total, window string) string {
		return `{"type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"total_tokens":9},"last_token_usage":{"total_tokens":` +
			total + `},"model_context_window":` + window + `}}}` + "\n"
	}
	talk := `{"type":"response_item","payload":{"type":"message","text":"the \"token_count\" is high"}}` + "\n"
	for name, c := range map[string]struct {
		tail string
		want string
	}{
		"the last one":      {count("1000", "10000") + count("4200", "10000") + talk, "42"},
		"cut at its start":  {`ken_count"}}` + "\n" + count("4200", "10000"), "42"},
		"cut at its end":    {count("4200", "10000") + strings.TrimSuffix(count("9", "10"), "}}}\n"), "42"},
		"only talk of it":   {talk, ""},
		"no window":         {count("10", "0"), ""},
		"more than it has":  {count("20", "10"), ""},
		"nothing":           {"", ""},
		"nothing in a line": {"\n\n", ""},
	} {
		o := codex().AddUsage(one(lifecycle.Report{State: lifecycle.Done}), []byte(c.tail))
		got := ""
		if m := o.Reports[0].Meta; m != nil {
			got = m.Tokens["context"]
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	if o := claude().AddUsage(one(lifecycle.Report{}), []byte(count("1", "2"))); o.Reports[0].Meta != nil {
		t.Error("what another agent writes is read")
	}
	if o := codex().AddUsage(Outcome{}, nil); len(o.Reports) > 0 {
		t.Error("a report comes out of nothing")
	}
}

func FuzzTranscriptsMayBeAnything(f *testing.F) {
	f.Add([]byte("{\"payload\":{\"type\":\"token_count\"}}\n\n"))
	f.Fuzz(func(_ *testing.T, tail []byte) { codexUsage(tail) })
}
