package memory

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// project makes a project of a store.
func project(t testing.TB, s *Store, name string) ID {
	t.Helper()
	p, err := s.AddProject(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return p.ID
}

// remember stores a fact.
func remember(t testing.TB, s *Store, p ID, text string) Note {
	t.Helper()
	n, _, err := s.Remember(t.Context(), Draft{Project: p, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTheSameWordsAreRememberedOnce(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p, q := project(t, s, "shop"), project(t, s, "bank")
	first := remember(t, s, p, "The cache lives in Redis, port 6380.")
	for _, same := range []string{
		"the cache lives in redis, port 6380", "- The cache  lives in `Redis`,\nport 6380!", "**The cache lives in Redis, port 6380.**",
	} {
		n, v, err := s.Remember(t.Context(), Draft{Project: p, Text: same, Tags: []string{"ops"}})
		if err != nil || n.ID != first.ID || !v.Known {
			t.Errorf("%q: note %s, known %v, %v", same, n.Short, v.Known, err)
		}
	}
	n, err := s.Note(first.Short)
	if err != nil || n.Seen != 4 || !cmp.Equal(n.Tags, []string{"ops"}) {
		t.Errorf("seen %d, tags %v, %v", n.Seen, n.Tags, err)
	}
	for _, by := range []Author{{Nick: "ada"}, {Nick: "ada", Session: "2"}, {}, {Nick: "bob"}} {
		if _, _, err := s.Remember(t.Context(), Draft{Project: p, Text: "the cache lives in redis, port 6380", Author: by}); err != nil {
			t.Error(err)
		}
	}
	if n, err := s.Note(first.Short); err != nil || n.Author != (Author{}) || !cmp.Equal(n.Also, []Author{{Nick: "ada"}, {Nick: "bob"}}) {
		t.Errorf("said by %+v and %+v, %v", n.Author, n.Also, err)
	}
	if other := remember(t, s, q, "the cache lives in redis, port 6380"); other.ID == first.ID {
		t.Error("merged across projects")
	}
	d, v, err := s.Remember(t.Context(), Draft{Project: p, Kind: Decision, Text: "the cache lives in redis, port 6380"})
	if err != nil || v.Known || d.ID == first.ID {
		t.Error("a decision was taken for a fact")
	}
}

// TestNoHalfOfASecretIsStored has one where each field is cut.
func TestNoHalfOfASecretIsStored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openTest(t, dir)
	p := project(t, s, "shop")
	at := func(limit int) string { return strings.Repeat("x ", (limit-len(vendorToken)+10)/2) + vendorToken }
	d := Draft{Project: p, Text: at(MaxText), Title: at(maxTitle), Reason: at(MaxText), Type: at(maxTag), Tags: []string{at(maxTag)},
		Branch: at(maxTitle), Files: []Source{{Path: at(maxLine)}}}
	if _, v, err := s.Remember(t.Context(), d); err != nil || len(v.Redacted) != 1 {
		t.Errorf("%q %v", v.Redacted, err)
	}
	short := at(maxLine)
	for _, err := range []error{
		s.AddEvent(t.Context(), Event{Project: p, Text: short}),
		second(s.UpdateTask(t.Context(), TaskUpdate{Project: p, Task: &short, Status: &short, Next: &short, Branch: at(maxTitle)})),
		second(s.PutHandoff(t.Context(), Handoff{Project: p, Title: at(maxTitle), Text: at(MaxText), Branch: at(maxTitle), Files: []string{short}})),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, fileName))
	if err != nil {
		t.Fatal(err)
	}
	if i := strings.Index(string(data), vendorToken[:10]); i >= 0 {
		t.Errorf("stored: %q", data[max(0, i-60):i+60])
	}
}

func second[T any](_ T, err error) error { return err }

// TestASecretFileIsNotCitedHoweverLongItsPath has a path whose end is cut.
func TestASecretFileIsNotCitedHoweverLongItsPath(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	long := strings.Repeat("folder/", 100) + ".env"
	n, v, err := s.Remember(t.Context(), Draft{Project: project(t, s, "shop"), Text: "x", Files: []Source{{Path: long}, {Path: "a.go", Lines: "1\x1b[2J"}}})
	if err != nil || len(n.Files) != 1 || len(v.Secret) != 1 || n.Files[0].Lines != "1" {
		t.Errorf("%+v %+v %v", n.Files, v, err)
	}
}

func TestWhatIsNearlyTheSameIsNamed(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p := project(t, s, "shop")
	first := remember(t, s, p, "integration tests need the database container running before they start")
	for _, c := range []struct {
		text string
		want bool
	}{
		{"integration tests need the database container to be running before they start up", true},
		{"the database container needs running before integration tests start", true},
		{"deploys go out on monday", false},
	} {
		settle(t, s)
		n, v, err := s.Remember(t.Context(), Draft{Project: p, Text: c.text})
		if err != nil || v.Known || n.ID == first.ID {
			t.Fatalf("%q: known %v, %v", c.text, v.Known, err)
		}
		if named := len(v.Similar) > 0; named != c.want {
			t.Errorf("%q: similar %+v", c.text, v.Similar)
		}
	}
	remember(t, s, p, "the packet is decoded by packet_data_hex when the client asks for it")
	settle(t, s)
	_, v, err := s.Remember(t.Context(), Draft{Project: p, Text: "the packet is decoded by packet_ack_hex when the client asks for it"})
	if err != nil || len(v.Similar) > 0 {
		t.Errorf("another name is another statement: %+v, %v", v.Similar, err)
	}
}

func TestTextsAreMadeFit(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p := project(t, s, "shop")
	for _, c := range []struct{ name, in, want string }{
		{"escapes", "red \x1b[31malert\x1b[0m \x1b]0;title\x07end\x00", "red alert end"},
		{"invalid UTF-8", "a\xffb", "a\uFFFDb"},
		{"line ends", "one\r\ntwo\rthree", "one\ntwo\nthree"},
		{"direction", "user\u202Etxt", "usertxt"},
		{"unfinished escape", "tail \x1b[", "tail"},
		{"keeps code", "see:\n\tif a[0] == `x` {\n\t}", "see:\n\tif a[0] == `x` {\n\t}"},
	} {
		if n := remember(t, s, p, c.in); n.Text != c.want {
			t.Errorf("%s: %q, want %q", c.name, n.Text, c.want)
		}
	}
	n, v, err := s.Remember(t.Context(), Draft{Project: p, Text: strings.Repeat("wörter ", 2000)})
	if err != nil || !v.Cut || len([]rune(n.Text)) > MaxText || !strings.HasSuffix(n.Text, cutMark) {
		t.Errorf("long text: %d characters, cut %v, %v", len([]rune(n.Text)), v.Cut, err)
	}
	if n, _, err := s.Remember(t.Context(), Draft{Project: p, Text: strings.Repeat("no end ", 1<<19)}); err != nil || len(n.Text) > MaxText {
		t.Errorf("huge text: %d bytes, %v", len(n.Text), err)
	}
	for _, empty := range []string{"", "  \n", "\x1b[0m", "\x00"} {
		if _, _, err := s.Remember(t.Context(), Draft{Project: p, Text: empty}); !errors.Is(err, ErrEmpty) {
			t.Errorf("%q: %v", empty, err)
		}
	}
	if _, _, err := s.Remember(t.Context(), Draft{Project: "01ARZ3NDEKTSV4RRFFQ69G5FAV", Text: "x"}); !errors.Is(err, ErrNotFound) {
		t.Errorf("unknown project: %v", err)
	}
	if _, _, err := s.Remember(t.Context(), Draft{Project: p, Text: "x", Kind: "rumour"}); !errors.Is(err, ErrInvalid) {
		t.Errorf("unknown kind: %v", err)
	}
}

func TestNothingSecretIsStored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openTest(t, dir)
	p := project(t, s, "shop")
	secret := "AKIA" + "QX7TYUIZPASDFGH2"
	n, v, err := s.Remember(t.Context(), Draft{Project: p, Text: "key " + secret[:9] + "\x1b[1;31m" + secret[9:] + " works", Title: "key " + secret,
		Reason: secret[:9] + "\u200b" + secret[9:], Tags: []string{secret}})
	if err != nil || strings.Contains(fmt.Sprintf("%+v", n), secret[9:]) || len(v.Redacted) == 0 {
		t.Errorf("%+v %+v %v", n, v, err)
	}
	cited := []Source{{Path: "deploy/.env.production"}, {Path: "keys/id_ed25519"}, {Path: "main.go"}}
	n, v, err = s.Remember(t.Context(), Draft{Project: p, Text: "where keys are read", Files: cited})
	if err != nil || len(n.Files) != 1 || len(v.Secret) != 2 {
		t.Errorf("%+v %+v %v", n.Files, v, err)
	}
	text := "use " + secret
	task, err := s.UpdateTask(t.Context(), TaskUpdate{Project: p, Task: &text, Next: &text})
	if err != nil || strings.Contains(fmt.Sprintf("%+v", task), secret) {
		t.Errorf("%+v %v", task, err)
	}
	h, err := s.PutHandoff(t.Context(), Handoff{Project: p, Text: secret, Title: secret, Files: []string{"a.go", "deploy/.env:2"}})
	if err != nil || len(h.Files) != 1 || strings.Contains(fmt.Sprintf("%+v", h), secret) {
		t.Errorf("%+v %v", h, err)
	}
	if err := s.AddEvent(t.Context(), Event{Project: p, Kind: "test", Text: secret}); err != nil {
		t.Error(err)
	}
	settle(t, s)
	files, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	for _, f := range append(files, filepath.Join(dir, fileName)) {
		if holds(t, f, secret) || holds(t, f, strings.ToLower(secret)) {
			t.Errorf("%s has the secret", f)
		}
	}
}

func TestAnOperationIsDoneOnce(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p := project(t, s, "shop")
	op := newID(time.Now())
	first, _, err := s.Remember(t.Context(), Draft{Project: p, Text: "one", Op: op})
	if err != nil {
		t.Fatal(err)
	}
	again, v, err := s.Remember(t.Context(), Draft{Project: p, Text: "one, told otherwise", Op: op})
	if err != nil || again.ID != first.ID || !v.Known || again.Seen != 1 {
		t.Errorf("%+v %+v %v", again, v, err)
	}
}

func TestVerdictsAreKept(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p := project(t, s, "shop")
	old, fresh := remember(t, s, p, "the port is 80"), remember(t, s, p, "the port is 8080")
	n, err := s.Verify(t.Context(), fresh.ID, Verified, "a1b2c3d", []Source{{Path: "main.go", Lines: "3-4"}}, Author{Nick: "ada"})
	if err != nil || n.Status != Verified || n.VerifiedAt.IsZero() || n.VerifiedCommit != "a1b2c3d" || len(n.Files) != 1 {
		t.Errorf("%+v %v", n, err)
	}
	if n, err = s.Supersede(t.Context(), old.ID, fresh.ID, Author{}); err != nil || n.SupersededBy != fresh.ID || n.Live() {
		t.Errorf("%+v %v", n, err)
	}
	if _, err := s.Supersede(t.Context(), fresh.ID, old.ID, Author{}); !errors.Is(err, ErrInvalid) {
		t.Errorf("a circle: %v", err)
	}
	if _, err := s.Verify(t.Context(), fresh.ID, "PERHAPS", "", nil, Author{}); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
	res, err := s.Search(t.Context(), Query{Text: "port", Project: p})
	if err != nil || len(res.Hits) != 1 || res.Hits[0].ID != fresh.ID || res.Searched != 1 {
		t.Errorf("%+v %v", res, err)
	}
	if res, err = s.Search(t.Context(), Query{Text: "port", Project: p, All: true}); err != nil || len(res.Hits) != 2 {
		t.Errorf("%+v %v", res, err)
	}
}

func TestNotesAreFoundByWhatPeopleType(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p := project(t, s, "shop")
	var notes []Note
	for i := range 60 {
		notes = append(notes, remember(t, s, p, fmt.Sprintf("fact number %d", i)))
	}
	n := notes[7]
	for _, typed := range []string{n.Short, strings.ToLower(n.Short), string(n.ID), " " + n.Short + "\n"} {
		if got, err := s.Note(typed); err != nil || got.ID != n.ID {
			t.Errorf("%q: %s, %v", typed, got.Short, err)
		}
	}
	if !strings.HasPrefix(n.Short, "F") || len(n.Short) < 5 {
		t.Errorf("short id %q", n.Short)
	}
	if _, err := s.Note("F"); !errors.Is(err, ErrNotFound) {
		t.Errorf("one letter: %v", err)
	}
	prefix := map[string]int{}
	for _, n := range notes {
		prefix[n.Short[:2]]++
	}
	for two, count := range prefix {
		_, err := s.Note(two)
		if count > 1 && (!errors.Is(err, ErrAmbiguous) || !strings.Contains(err.Error(), two)) || count == 1 && err != nil {
			t.Errorf("%s fits %d: %v", two, count, err)
		}
	}
	var e *LookupError
	if _, err := s.Note(n.Short + "0"); !errors.As(err, &e) || !strings.Contains(e.Hint(), n.Short) {
		t.Errorf("a letter too many: %v", err)
	}
}

func TestTasksBelongToACheckout(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p := project(t, s, "shop")
	text := func(s string) *string { return &s }
	update := func(u TaskUpdate) Task {
		t.Helper()
		u.Project = p
		task, err := s.UpdateTask(t.Context(), u)
		if err != nil {
			t.Fatal(err)
		}
		return task
	}
	one := update(TaskUpdate{Checkout: "/a", Task: text("fix the login"), Status: text("doing")})
	update(TaskUpdate{Checkout: "/b", Task: text("write docs")})
	two := update(TaskUpdate{Checkout: "/a", Next: text("run the tests"), Error: text("timeout")})
	if two.ID != one.ID || two.Task != "fix the login" || two.Next != "run the tests" {
		t.Errorf("%+v", two)
	}
	three := update(TaskUpdate{Checkout: "/a", Task: text("release")})
	if three.ID == one.ID || three.Error != "" {
		t.Errorf("%+v", three)
	}
	now, found, err := s.Task(p, "/a")
	if err != nil || !found || now.ID != three.ID {
		t.Errorf("%+v %v %v", now, found, err)
	}
	if _, found, _ := s.Task(p, "/"); found {
		t.Error("the beginning of a path is no checkout")
	}
	if all, err := s.Tasks(p); err != nil || len(all) != 3 {
		t.Errorf("%+v %v", all, err)
	}
	if _, err := s.UpdateTask(t.Context(), TaskUpdate{Project: p, Checkout: "/c"}); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	events, err := s.Events(p, "/a", 0)
	if err != nil || len(events) != 3 || events[0].Text != "release" {
		t.Errorf("%+v %v", events, err)
	}
}
