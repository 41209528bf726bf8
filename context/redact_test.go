package memory

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// vendorToken is one that a rule knows by its prefix, put together here so that no
// scanner takes this file for a leak.
var vendorToken = "gh" + "p_" + strings.Repeat("aB3dE5", 6)

func TestFindingsSayWhere(t *testing.T) {
	t.Parallel()
	text := "one\nuse " + vendorToken + " here\npassword=Tr0ub4dor&3\n"
	clean, found := Redact(text)
	if want := "one\nuse [REDACTED:github] here\npassword=[REDACTED:password]\n"; clean != want {
		t.Errorf("got %q", clean)
	}
	at := strings.Index(text, "Tr0")
	want := []Finding{{"github", 2, 8, 8 + len(vendorToken)}, {"password", 3, at, at + 11}}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
	}
}

// TestMarksStay holds that a mark is not taken for a value or a name, nor its
// length counted in the places of what comes after it.
func TestMarksStay(t *testing.T) {
	t.Parallel()
	text := "token [REDACTED:github] password=[REDACTED:password] then " + vendorToken
	clean, found := Redact(text)
	if want := strings.Replace(text, vendorToken, "[REDACTED:github]", 1); clean != want {
		t.Errorf("got %q", clean)
	}
	if len(found) != 1 || text[found[0].Start:found[0].End] != vendorToken {
		t.Errorf("got %+v", found)
	}
}

func TestLongSecretsGoWhole(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("aB3dE5fG7h", 1000)
	for _, text := range []string{"API_KEY=" + long, `{"client_secret": "` + long + `"}`, "Authorization: Bearer " + long} {
		if clean, _ := Redact(text); strings.Contains(clean, "aB3d") {
			t.Errorf("%.20q: %d bytes are left", text, len(clean))
		}
	}
}

func TestRulesOfAPerson(t *testing.T) {
	t.Parallel()
	r, err := NewRedactor(RedactRules{
		Patterns: map[string]string{"badge": `badge ([0-9]{4})`},
		Allow:    []string{`ghp_aB3.*`},
	})
	if err != nil {
		t.Fatal(err)
	}
	text := "badge 4711 and " + vendorToken
	if clean, _ := r.Redact(text); clean != "badge [REDACTED:badge] and "+vendorToken {
		t.Errorf("got %q", clean)
	}
	for _, rules := range []RedactRules{
		{Patterns: map[string]string{"x": "("}}, {Patterns: map[string]string{"A]": "x"}}, {Allow: []string{"("}},
	} {
		if _, err := NewRedactor(rules); err == nil {
			t.Errorf("%+v compiles", rules)
		}
	}
}

func TestSensitiveFiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		".env": true, "app/.env.production": true, ".env.example": false, "certs/server.pem": true, "certs/README.md": false,
		"/home/me/.ssh/config": true, "home/.ssh/id_ed25519.pub": false, "id_rsa": true, "src/credentials.go": false, "credentials": true,
		".aws/credentials": true, "deploy/kubeconfig": true, ".npmrc": true, ".netrc": true, "secrets/db.txt": true, "internal/secrets/store.go": false,
		"terraform.tfstate": true, "prod.tfvars": true, "main.go": false, "docs/keys.md": false, "a.KEY": true, `c:\x\.env`: true, "package.json": false,
		"environment.go": false, "tokens/lexer.txt": false, "config/master.key": true, ".git-credentials": true, ".docker/config.json": true,
		"app/.env:3-9": true, ".env#L12": true, "main.go:12": false, "go#lang.md": false,
	} {
		if got := Sensitive(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// FuzzRedact holds for any text: nothing breaks, marks stay, a second look finds
// nothing, and what is reported lies in the text.
func FuzzRedact(f *testing.F) {
	for _, c := range append(readCases(f, cases+"secrets.jsonl"), readCases(f, cases+"harmless.jsonl")...) {
		text, _ := c.filled()
		f.Add(text + c.Text)
	}
	f.Add("password=[REDACTED:password]]=x9K!")
	f.Add("-----BEGIN PRIVATE KEY-----")
	f.Add("://.webhook.office.com/" + strings.Repeat("0", 41))
	f.Fuzz(func(t *testing.T, text string) {
		clean, found := Redact(text)
		if again, more := Redact(clean); again != clean {
			t.Errorf("%q\nonce %q\ntwice %q %v", text, clean, again, more)
		}
		end := 0
		for _, x := range found {
			if x.Start < end || x.End <= x.Start || x.End > len(text) {
				t.Fatalf("%q: %+v", text, found)
			}
			end = x.End
		}
		if (len(found) == 0) != (clean == text) {
			t.Errorf("%q: %d findings", text, len(found))
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	var all strings.Builder
	for _, c := range append(readCases(b, cases+"secrets.jsonl"), readCases(b, cases+"harmless.jsonl")...) {
		text, _ := c.filled()
		all.WriteString(text + c.Text + "\nThe quick brown fox looks at main.go:12 and runs `go test ./...` in 3.2 s.\n")
	}
	text := strings.Repeat(all.String(), 1<<20/all.Len())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Redact(text)
	}
}
