package realtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestChain has Claude Code run two others as testdata/tour/chain.sh says, a call
// of its shell for each line.
func TestChain(t *testing.T) {
	deck := os.Getenv("DECK_TEST_BINARY")
	want := strings.Fields(os.Getenv("DECK_TEST_AGENTS"))
	if !slices.Contains(want, "claude") && !slices.Contains(want, "all") || !filepath.IsAbs(deck) {
		t.Skip("DECK_TEST_AGENTS does not name claude, or DECK_TEST_BINARY no deck")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("no npm to install agents with")
	}
	script, err := os.ReadFile("../../testdata/tour/chain.sh")
	if err != nil {
		t.Fatal(err)
	}
	l := newLab(t, deck, programs[0])
	l.write(t, "home/project/.claude/settings.json", `{"permissions":{"allow":["Bash"]}}`)
	steps := strings.NewReplacer("deck ", deck+" ", "$CHILD", "claude -- --permission-mode manual",
		"$FIRST", "please read first: hello.txt", "$SECOND", "please ask second: which").Replace(string(script))
	l.write(t, "steps", steps)
	p := l.start(t)
	p.settle()
	word := p.prompt("steps", l.root+"/steps")
	p.ends(word)
	p.holds("asked.status", "^4\n$")
	p.holds("asked", "(?s)^pr_[0-9a-f]+ done\n.*Finished first.*pr_[0-9a-f]+ needs-input question")
	p.holds("results", "(?s)^pr_[0-9a-f]+ (done|idle)\n.*Finished first.*pr_[0-9a-f]+ (done|idle)\n.*Finished second")
	if out, err := l.run("agent", "held"); err != nil || len(out) > 0 {
		t.Errorf("held after all: %s, %v", out, err)
	}
	if out, err := l.run("recall", "agents looked at the parser"); err != nil || !strings.Contains(string(out), "Finished first") {
		t.Errorf("memory has %s, %v", out, err)
	}
}

// holds looks whether a file of the project has a text in it.
func (p *pane) holds(name, want string) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.project, name))
	if err != nil || !regexp.MustCompile(want).Match(text) {
		p.t.Errorf("%s holds %q, want %s (%v)", name, text, want, err)
	}
}
