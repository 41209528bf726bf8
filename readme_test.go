package main

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"deck/ui/cli"
)

var update = flag.Bool("update", false, "rewrite the generated blocks of the README")

// TestReadmeShowsWhatDeckPrints holds the README's blocks to what the program
// says of itself and to the screen that the tests draw.
func TestReadmeShowsWhatDeckPrints(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(readme)
	for name, want := range map[string]string{
		"screen": goldenScreen(t, "ui/testdata/screens/agents-zoom.golden", "== 80x24"),
		"keys":   printed(t, "help", "keys"),
		"verbs":  printed(t, "help"),
	} {
		open, shut := "<!-- "+name+" -->\n```\n", "\n```\n<!-- /"+name+" -->"
		head, rest, ok1 := strings.Cut(text, open)
		got, tail, ok2 := strings.Cut(rest, shut)
		switch {
		case !ok1 || !ok2:
			t.Errorf("README.md has no block %q", name)
		case got != want && *update:
			text = head + open + want + shut + tail
		case got != want:
			t.Errorf("block %q of README.md is out of date; run: go test . -update\n%s", name, want)
		}
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	prose, inBlock := 0, false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			inBlock = !inBlock
		} else if !inBlock {
			prose += len(strings.Fields(line))
		}
	}
	if prose > 1000 {
		t.Errorf("README.md has %d words outside its blocks, 1000 at most", prose)
	}
}

func printed(t *testing.T, args ...string) string {
	t.Helper()
	var out, talk bytes.Buffer
	if code := cli.Main(args, os.Stdin, &out, &talk); code != 0 {
		t.Fatalf("deck %v: exit %d: %s", args, code, &talk)
	}
	return strings.TrimSpace(out.String())
}

// goldenScreen returns the text of a golden screen of the given size.
func goldenScreen(t *testing.T, file, size string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(b), size)
	if !ok {
		t.Fatalf("%s has no screen %q", file, size)
	}
	_, rest, _ = strings.Cut(rest, "\n")
	text, _, _ := strings.Cut(rest, "\n-- styles")
	return text
}
