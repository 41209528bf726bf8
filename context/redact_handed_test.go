package memory

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// secretCase is a text with secrets that are stored in parts, so that no scanner takes
// the file for a leak.
type secretCase struct {
	Name    string     `json:"name"`
	Format  string     `json:"fmt"`
	Secrets [][]string `json:"secrets"`
	Text    string     `json:"text"`
}

// filled is the text, and the secrets in it.
func (c secretCase) filled() (string, []string) {
	const open, shut = "\x00", "\x01"
	text := strings.NewReplacer("{{", open, "}}", shut).Replace(c.Format)
	var secrets []string
	for i, parts := range c.Secrets {
		s := strings.Join(parts, "")
		text = strings.ReplaceAll(text, "{"+strconv.Itoa(i)+"}", s)
		secrets = append(secrets, s)
	}
	return strings.NewReplacer(open, "{", shut, "}").Replace(text), secrets
}

func readCases(t testing.TB, file string) []secretCase {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []secretCase
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var c secretCase
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out = append(out, c)
	}
	return out
}

// checkRemoved fails for every secret of which a part of any size is left.
func checkRemoved(t *testing.T, cases []secretCase) {
	t.Helper()
	for _, c := range cases {
		text, secrets := c.filled()
		clean, _ := Redact(text)
		for _, s := range secrets {
			for _, line := range strings.Fields(strings.ReplaceAll(s, `\n`, "\n")) {
				for _, part := range []string{line, line[:(len(line)+1)/2], line[len(line)/2:]} {
					if len(part) > 3 && strings.Contains(clean, part) {
						t.Errorf("%s: left in %q", c.Name, clean)
						break
					}
				}
			}
		}
		if again, _ := Redact(clean); again != clean {
			t.Errorf("%s: once %q, twice %q", c.Name, clean, again)
		}
	}
}

func checkKept(t *testing.T, cases []secretCase) {
	t.Helper()
	for _, c := range cases {
		if clean, _ := Redact(c.Text); clean != c.Text {
			t.Errorf("%s: %q became %q", c.Name, c.Text, clean)
		}
	}
}

// TestRedactHandedCases runs over a folder of cases that lies outside the
// project, where there is one.
func TestRedactHandedCases(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("DECK_TEST_REDACTION")
	if dir == "" {
		t.Skip("DECK_TEST_REDACTION names no folder of cases")
	}
	checkRemoved(t, readCases(t, filepath.Join(dir, "secrets.jsonl")))
	checkKept(t, readCases(t, filepath.Join(dir, "harmless.jsonl")))
}
