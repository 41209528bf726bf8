package hooks

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// skillSite is a home folder, and a place that remembers removals.
func skillSite(t testing.TB) Site {
	s := testSite(t, nil)
	s.Removed = filepath.Join(t.TempDir(), "state", "skill-removed")
	return s
}

func TestSkillEveryAgent(t *testing.T) {
	t.Parallel()
	taught := 0
	for _, a := range Agents() {
		if !a.CanLearn() {
			continue
		}
		taught++
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			s := skillSite(t)
			state := func(want State) {
				t.Helper()
				if got, err := a.SkillState(s); got != want || err != nil {
					t.Errorf("state %s, %v, want %s", got, err, want)
				}
			}
			state(StateMissing)
			if c, err := a.TeachSkill(s, true); len(c) != 1 || err != nil || len(tree(t, s.Home)) > 0 {
				t.Fatalf("dry: %v, %v, %v", c, err, tree(t, s.Home))
			}
			c, err := a.TeachSkill(s, false)
			if len(c) != 1 || err != nil || c[0].Path != a.SkillPath(s) {
				t.Fatalf("teach: %v, %v", c, err)
			}
			state(StateInstalled)
			if c, err := a.TeachSkill(s, false); len(c) != 0 || err != nil {
				t.Errorf("once more: %v, %v", c, err)
			}
			if c, err := a.RemoveSkill(s, true); len(c) != 1 || err != nil || a.SkillRemoved(s) {
				t.Errorf("dry removal: %v, %v", c, err)
			}
			if c, err := a.RemoveSkill(s, false); len(c) != 1 || err != nil || len(tree(t, s.Home)) > 0 {
				t.Errorf("removal: %v, %v, left %v", c, err, tree(t, s.Home))
			}
			if _, err := os.Stat(filepath.Dir(a.SkillPath(s))); a.Home.Skills != "" && err == nil {
				t.Error("the skill's folder is left")
			}
			state(StateMissing)
			if !a.SkillRemoved(s) {
				t.Error("the removal is not remembered")
			}
			if _, err := a.TeachSkill(s, false); err != nil || a.SkillRemoved(s) {
				t.Errorf("taught again, and the removal is still remembered (%v)", err)
			}
		})
	}
	if taught < 9 {
		t.Errorf("only %d agents can be taught", taught)
	}
}

func TestSkillText(t *testing.T) {
	t.Parallel()
	if n := len(strings.Fields(skillHead)) + len(strings.Fields(string(skillText))); n >= 900 {
		t.Errorf("the skill has %d words", n)
	}
	if strings.ContainsAny(string(skillText), "{}\r\x00") {
		t.Error("a brace means something to some agents' instructions")
	}
}

func TestSkillBlockKeepsTheRest(t *testing.T) {
	t.Parallel()
	for name, file := range map[string][]byte{
		"none": nil, "empty": {}, "text": []byte("# Mine\n"), "no end": []byte("# Mine"), "blank lines": []byte("a\n\n\n\n"),
		"windows": []byte("# Mine\r\nrule\r\n"), "mark": []byte("\xef\xbb\xbf# Mine\n"), "one line end": []byte("\n"),
	} {
		with, err := skillBlock{}.install(file)
		if err != nil || !bytes.HasPrefix(with, file) {
			t.Errorf("%s: install: %v, %q", name, err, with)
			continue
		}
		if again, err := (skillBlock{}).install(with); err != nil || !bytes.Equal(again, with) {
			t.Errorf("%s: again: %v\n%s", name, err, cmp.Diff(string(with), string(again)))
		}
		back, err := skillBlock{}.uninstall(with)
		if err != nil || !bytes.Equal(back, file) || (back == nil) != (file == nil) {
			t.Errorf("%s: uninstall: %v, %q, want %q", name, err, back, file)
		}
		more := append(bytes.Clone(with), "after\n"...)
		back, err = skillBlock{}.uninstall(more)
		if want := string(file) + "after\n"; err != nil || string(back) != want {
			t.Errorf("%s: text behind it: %v, %q, want %q", name, err, back, want)
		}
	}
}

func TestSkillOlderIsReplaced(t *testing.T) {
	t.Parallel()
	old := []byte("an older text\n")
	file := []byte("# Mine\n\n\n" + skillMark(old) + string(old) + skillEnd + "\nafter\n")
	if v, err := (skillBlock{}).version(file); v != 1 || err != nil {
		t.Fatal(v, err)
	}
	got, err := skillBlock{}.install(file)
	if want := "# Mine\n\n\n" + skillMark(skillText) + string(skillText) + skillEnd + "\nafter\n"; err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, cmp.Diff(want, string(got)))
	}
	own := []byte(skillHead + skillMark([]byte(skillHead+string(old))) + string(old))
	if got, err := (skillFile{}).install(own); err != nil || !bytes.Contains(got, skillText) {
		t.Error(err)
	}
}

// What a person wrote or changed is never replaced.
func TestSkillRefuses(t *testing.T) {
	t.Parallel()
	block, _ := skillBlock{}.install([]byte("# Mine\n"))
	file, _ := skillFile{}.install(nil)
	for name, c := range map[string]struct {
		kind settings
		file []byte
	}{
		"another's skill": {skillFile{}, []byte("---\nname: deck\n---\n")},
		"edited skill":    {skillFile{}, append(bytes.Clone(file), "and more\n"...)},
		"edited block":    {skillBlock{}, bytes.Replace(block, []byte("never poll"), []byte("poll"), 1)},
		"no end":          {skillBlock{}, bytes.Replace(block, []byte(skillEnd), nil, 1)},
		"two blocks":      {skillBlock{}, append(bytes.Clone(block), block...)},
		"not UTF-8":       {skillBlock{}, []byte("\xff\xfea\x00")},
	} {
		if got, err := c.kind.install(c.file); err == nil {
			t.Errorf("%s: installed over: %q", name, got)
		}
		if got, err := c.kind.uninstall(c.file); err == nil {
			t.Errorf("%s: removed: %q", name, got)
		}
	}
	s := skillSite(t)
	a, _ := Lookup("claude")
	put(t, a.SkillPath(s), "mine")
	if _, err := a.TeachSkill(s, false); !errors.Is(err, ErrMalformed) || tree(t, s.Home)[".claude/skills/deck/SKILL.md"] != "mine" {
		t.Errorf("%v, %v", err, tree(t, s.Home))
	}
	if got, err := a.SkillState(s); got != StateUnreadable || err == nil {
		t.Error(got, err)
	}
}
