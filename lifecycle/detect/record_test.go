package detect

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func TestParseRecord(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]Record{
		"state=idle":                             {State: "idle", Progress: -1},
		"state=working:app=codex":                {State: "working", App: "codex", Progress: -1},
		"app=x.y_z+1-2:state=done":               {State: "done", App: "x.y_z+1-2", Progress: -1},
		"state=blocked:kind=auth:progress=7":     {State: "blocked", Kind: "auth", Progress: 7},
		"state=working:progress=0":               {State: "working", Progress: 0},
		"state=working:progress=100":             {State: "working", Progress: 100},
		"state=clear:id=a/b":                     {State: "clear", ID: "a/b", Progress: -1},
		"state=done:future=thing:msg=":           {State: "done", Progress: -1},
		"state=idle:state=done":                  {State: "done", Progress: -1},
		"state=error:msg=" + b64("käse · 3"):     {State: "error", Message: "käse · 3", Progress: -1},
		"state=idle:title=" + b64("a")[:2]:       {State: "idle", Title: "a", Progress: -1},
		"state=idle:":                            {State: "idle", Progress: -1},
		"state=blocked:msg=" + b64("approve: x"): {State: "blocked", Message: "approve: x", Progress: -1},
	} {
		got, err := ParseRecord([]byte(body))
		if err != nil {
			t.Errorf("%s: %v", body, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", body, d)
		}
	}
}

func TestInvalidRecordsAreDroppedWhole(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"", ":", "app=codex", "state=", "state=busy", "state=Working", "state", "state=idle:junk", "?",
		"state=idle:kind=question", "state=blocked:kind=maybe", "state=clear:kind=auth",
		"state=idle:progress=3", "state=done:progress=3", "state=working:progress=101", "state=working:progress=-1",
		"state=working:progress=", "state=working:progress=1e1", "state=working:progress=0100", "state=working:progress=+5",
		"state=idle:app=", "state=idle:app=a b", "state=idle:app=" + strings.Repeat("a", 33), "state=idle:app=ä",
		"state=idle:id=", "state=idle:id=/a", "state=idle:id=a//b", "state=idle:id=a/", "state=idle:id=" + strings.Repeat("a", 33),
		"state=idle:id=" + strings.Repeat("a/", 8) + "a", "state=idle:id=" + strings.Repeat(strings.Repeat("a", 31)+"/", 4) + "a",
		"state=idle:msg=!!", "state=idle:msg=a", "state=idle:msg=" + b64("two\nrows"), "state=idle:msg=" + b64("\xff"),
		"state=idle:msg=" + b64("\x1b[31m"), "state=idle:msg=" + b64(strings.Repeat("a", 2049)),
		"state=idle:title=" + b64(strings.Repeat("a", 193)), "state=idle:x=" + strings.Repeat("a", 4096),
	} {
		if r, err := ParseRecord([]byte(body)); err == nil {
			t.Errorf("%.60s: %+v, want an error", body, r)
		} else if (r != Record{}) {
			t.Errorf("%.60s: half a record: %+v", body, r)
		}
	}
}

func FuzzParseRecord(f *testing.F) {
	f.Add([]byte("state=blocked:kind=permission:app=a:id=b/c:title=YQ==:msg=YQ==:progress=5"))
	f.Add([]byte("state=clear"))
	f.Add([]byte("?"))
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := ParseRecord(body)
		if err != nil {
			if (r != Record{}) {
				t.Errorf("half a record: %+v", r)
			}
			return
		}
		if r.State == "" || strings.ContainsAny(r.Message+r.Title, "\x1b\n\r\x00") || len(r.Message) > maxRecordMsg {
			t.Errorf("%q gives %+v", body, r)
		}
	})
}
