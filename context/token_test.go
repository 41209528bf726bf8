package memory

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func terms(text string) []string {
	out := []string{}
	for _, t := range tokens(text) {
		out = append(out, t.term)
	}
	return out
}

func TestTokensOfProseAndCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"Running the tests", "run test"},
		{"FindBeadsDir", "find bead dir findbeadsdir"},
		{"find_beads_dir", "find bead dir find_beads_dir findbeadsdir"},
		{"HTTPServer parseURL URLs", "http server httpserver pars url parseurl url"},
		{"src/save/migrate.rs", "src save migrat rs src/save/migrate.rs srcsavemigraters migrate.rs"},
		{"10.13.0.0/16", "10 13 0 0 16 10.13.0.0/16 10130016"},
		{"--unsafe-no-fsync", "unsaf fsync unsafe-no-fsync unsafenofsync --unsafe-no-fsync"},
		{"git log -n", "git log n -n"},
		{"E422 sha256 v2.1.3", "e422 sha256 v2 1 3 v2.1.3 v213"},
		{"Type::method(arg)", "type method type::method typemethod arg"},
		{"it's the user's", "user"},
		{"it isn't done.", "isnt done"},
		{"Käse ﬁne", "käse fine"},
		{"备份 etcd", "备份 etcd"},
		{"升级前", "升级 级前 升级前"},
		{"… -- ** ++ / .", ""},
		{"a/b c++", "b a/b ab c"},
		{"user@example.com", "user exampl com user@example.com userexamplecom"},
	} {
		if d := cmp.Diff(strings.Fields(c.want), terms(c.text)); d != "" {
			t.Errorf("%q: %s", c.text, d)
		}
	}
}

// FuzzTokens cuts any bytes: every token lies in the text, and the same text gives the same tokens.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{"FindBeadsDir", "--x=1", "10.0.0.0/8", "a\xffb_C", "’’s", "备份x", "-\u0300-", "ǅ/ß.İ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, k := range tokens(text) {
			if k.start < 0 || k.start > k.end || k.end > len(text) || k.term == "" {
				t.Fatalf("%+v of %q", k, text)
			}
			if utf8.ValidString(text) && !utf8.ValidString(k.term) {
				t.Fatalf("%q of %q", k.term, text)
			}
		}
	})
}

func TestOneEdit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"deadlock", "deadlok", true}, {"deadlok", "deadlock", true}, {"signed", "singed", true}, {"cat", "cut", true},
		{"cat", "cat", false}, {"cat", "cuts", false}, {"", "a", true}, {"", "", false}, {"ab", "ba", true}, {"abc", "cba", false},
	} {
		if oneEdit(c.a, c.b) != c.want {
			t.Errorf("%q %q", c.a, c.b)
		}
	}
}

func TestShortIDsGrowWhereTheyMeet(t *testing.T) {
	t.Parallel()
	id := newID(corpusDay)
	first := shortID(Fact, id, func(string) bool { return false })
	second := shortID(Fact, id, func(s string) bool { return s == first })
	if len(first) != 1+minShort || len(second) != 2+minShort || !strings.HasPrefix(second, first) {
		t.Errorf("%s %s", first, second)
	}
	if !id.Time().Equal(corpusDay) {
		t.Errorf("%v", id.Time())
	}
}
