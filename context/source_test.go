package memory

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const twentyLines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n"

func cite(t testing.TB, s *Sources, top, text string) Source {
	t.Helper()
	src, err := ParseSource(text, top, top)
	if err == nil {
		src, err = s.Cite(context.Background(), src, top)
	}
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// TestFreshness says for each change of a checkout how what was cited stands.
func TestFreshness(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, cited string
		change      func(t *testing.T, top string)
		want        Freshness
		now         string
	}{
		{"nothing", "a.go:5-7", func(*testing.T, string) {}, Fresh, ""},
		{"another line", "a.go:5-7", func(t *testing.T, top string) {
			writeFile(t, filepath.Join(top, "a.go"), strings.Replace(twentyLines, "18\n", "x\n", 1))
		}, Fresh, ""},
		{"indented", "a.go:5-7", func(t *testing.T, top string) {
			writeFile(t, filepath.Join(top, "a.go"), strings.Replace(twentyLines, "6\n", "\t6  \n", 1))
		}, Fresh, ""},
		{"down", "a.go:5-7", func(t *testing.T, top string) { writeFile(t, filepath.Join(top, "a.go"), "x\ny\n"+twentyLines) }, MovedLines, "a.go:7-9"},
		{"up", "a.go:5", func(t *testing.T, top string) {
			writeFile(t, filepath.Join(top, "a.go"), strings.TrimPrefix(twentyLines, "1\n2\n"))
		}, MovedLines, "a.go:3"},
		{"the lines themselves", "a.go:5-7", func(t *testing.T, top string) {
			writeFile(t, filepath.Join(top, "a.go"), strings.Replace(twentyLines, "6\n", "six\n", 1))
		}, FileChanged, ""},
		{"shortened", "a.go:18-20", func(t *testing.T, top string) { writeFile(t, filepath.Join(top, "a.go"), "1\n") }, FileChanged, ""},
		{"the file", "a.go", func(t *testing.T, top string) { writeFile(t, filepath.Join(top, "a.go"), twentyLines+"x\n") }, FileChanged, ""},
		{"its name", "a.go:5", func(t *testing.T, top string) {
			writeFile(t, filepath.Join(top, "sub", "b.go"), twentyLines)
			os.Remove(filepath.Join(top, "a.go"))
		}, Renamed, "sub/b.go"},
		{"gone", "a.go", func(t *testing.T, top string) { os.Remove(filepath.Join(top, "a.go")) }, Missing, ""},
		{"a link", "a.go", func(t *testing.T, top string) {
			os.Rename(filepath.Join(top, "a.go"), filepath.Join(top, "c.txt"))
			os.Symlink("c.txt", filepath.Join(top, "a.go"))
		}, Missing, ""},
		{"of a pattern, none", "**/*.go", func(t *testing.T, top string) { writeFile(t, filepath.Join(top, "n.txt"), "x") }, Fresh, ""},
		{"of a pattern, one more", "**/*.go", func(t *testing.T, top string) { writeFile(t, filepath.Join(top, "x", "n.go"), "x") }, FileChanged, ""},
		{"of a pattern, all", "*.go", func(t *testing.T, top string) { os.Remove(filepath.Join(top, "a.go")) }, Missing, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			top := tempDir(t)
			writeFile(t, filepath.Join(top, "a.go"), twentyLines)
			s := NewSources()
			src := cite(t, s, top, c.cited)
			c.change(t, top)
			got := s.Look(context.Background(), []Source{src}, top)
			want := []State{{Source: src, Freshness: c.want, Now: c.now}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestCheckoutsStandForThemselves holds that a change in one checkout says
// nothing about another.
func TestCheckoutsStandForThemselves(t *testing.T) {
	t.Parallel()
	one, two := tempDir(t), tempDir(t)
	writeFile(t, filepath.Join(one, "a.go"), twentyLines)
	writeFile(t, filepath.Join(two, "a.go"), twentyLines+"more\n")
	s := NewSources()
	src := []Source{cite(t, s, one, "a.go")}
	for top, want := range map[string]Freshness{one: Fresh, two: FileChanged} {
		if got := s.Look(context.Background(), src, top); got[0].Freshness != want {
			t.Errorf("%s: %s", top, got[0].Freshness)
		}
	}
}

func TestSourcesThatAreRefused(t *testing.T) {
	t.Parallel()
	top, outside := tempDir(t), tempDir(t)
	for _, name := range []string{"a.go", ".env", "sub/id_rsa"} {
		writeFile(t, filepath.Join(top, name), "x\n")
	}
	writeFile(t, filepath.Join(outside, "o.go"), "x\n")
	writeFile(t, filepath.Join(top, "big.bin"), strings.Repeat("x", maxSourceFile+1))
	for link, to := range map[string]string{"out.go": filepath.Join(outside, "o.go"), "away": outside} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	s := NewSources()
	for _, text := range []string{
		"../x", "/etc/passwd", outside + "/o.go", ".env", "sub/id_rsa", "out.go", "away/o.go", "sub", "none.go", "a.go:5", "a.go:1-9", "*.rs", "*.go:3", "[", "big.bin", "", "**/a/**/b/**/c/**",
	} {
		src, err := ParseSource(text, top, top)
		if err == nil {
			_, err = s.Cite(context.Background(), src, top)
		}
		if !errors.Is(err, ErrSource) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestParseSourceFromASubfolder(t *testing.T) {
	t.Parallel()
	top := tempDir(t)
	for text, want := range map[string]Source{
		"x.go":                            {Path: "sub/x.go"},
		"../y.go:3":                       {Path: "y.go", Lines: "3"},
		"x.go:3-9":                        {Path: "sub/x.go", Lines: "3-9"},
		"x.go:9-3":                        {Path: "sub/x.go:9-3"},
		filepath.Join(top, "z.go") + ":7": {Path: "z.go", Lines: "7"},
		"*.go":                            {Path: "sub/*.go"},
	} {
		got, err := ParseSource(text, filepath.Join(top, "sub"), top)
		if err != nil || got != want {
			t.Errorf("%q: %+v %v", text, got, err)
		}
	}
}

// TestHashesAreRemembered counts on a file whose content changes behind its
// size and time: only a hash that was remembered calls it fresh.
func TestHashesAreRemembered(t *testing.T) {
	t.Parallel()
	top := tempDir(t)
	file := filepath.Join(top, "a.go")
	old := time.Now().Add(-time.Hour)
	put := func(text string, at time.Time) {
		writeFile(t, file, text)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	put("one\n", old)
	s := NewSources()
	src := []Source{cite(t, s, top, "a.go")}
	put("two\n", old)
	if got := s.Look(context.Background(), src, top); got[0].Freshness != Fresh {
		t.Errorf("the file was read again: %s", got[0].Freshness)
	}
	put("two\n", old.Add(time.Second))
	if got := s.Look(context.Background(), src, top); got[0].Freshness != FileChanged {
		t.Errorf("a new time was overlooked: %s", got[0].Freshness)
	}
	put("now\n", time.Now())
	src[0] = cite(t, s, top, "a.go")
	put("one\n", time.Now())
	if got := s.Look(context.Background(), src, top); got[0].Freshness != FileChanged {
		t.Errorf("a change within the same moment was overlooked: %s", got[0].Freshness)
	}
}

func TestSum(t *testing.T) {
	t.Parallel()
	state := func(f Freshness, cited string) State { return State{Source: Source{Cited: cited}, Freshness: f} }
	for _, c := range []struct {
		states []State
		word   Freshness
		factor float64
	}{
		{nil, "", 1},
		{[]State{state(Fresh, "")}, Fresh, 1},
		{[]State{state(Fresh, ""), state(MovedLines, "x")}, MovedLines, 1},
		{[]State{state(FileChanged, ""), state(Renamed, "")}, FileChanged, 0.95},
		{[]State{state(FileChanged, "x")}, FileChanged, 0.85},
		{[]State{state(Missing, ""), state(FileChanged, "x")}, Missing, 0.8},
	} {
		if w, f := Sum(c.states); w != c.word || f != c.factor {
			t.Errorf("%v: %s %v", c.states, w, f)
		}
	}
}

func TestGlobMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"*.go", "a.go", true}, {"*.go", "x/a.go", false}, {"**/*.go", "a.go", true}, {"**/*.go", "x/y/a.go", true},
		{"x/**", "x/y/z", true}, {"x/**/z", "x/z", true}, {"x/*/z", "x/y/q/z", false}, {"**/**/a", "a", true}, {"[", "[", false},
	} {
		if got := globMatch(strings.Split(c.pattern, "/"), strings.Split(c.name, "/")); got != c.want {
			t.Errorf("%s %s: %v", c.pattern, c.name, got)
		}
	}
}

func TestLookStopsWithItsContext(t *testing.T) {
	t.Parallel()
	top := tempDir(t)
	writeFile(t, filepath.Join(top, "a.go"), "x\n")
	s := NewSources()
	src := cite(t, s, top, "a.go")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := s.Look(ctx, []Source{src}, top); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func BenchmarkLook(b *testing.B) {
	top := tempDir(b)
	s := NewSources()
	var all []Source
	for i := range 1000 {
		name := filepath.Join("d"+string(rune('a'+i%20)), "f"+strings.Repeat("x", i/20)+".go")
		file := filepath.Join(top, name)
		writeFile(b, file, strings.Repeat(twentyLines, 200))
		old := time.Now().Add(-time.Hour)
		os.Chtimes(file, old, old)
		all = append(all, cite(b, s, top, filepath.ToSlash(name)+":5-9"))
	}
	for b.Loop() {
		s.Look(context.Background(), all, top)
	}
}

// FuzzParseSource holds that no text cites what is outside of a checkout.
func FuzzParseSource(f *testing.F) {
	for _, s := range []string{"a.go:1-2", "../x", "/etc/passwd:3", "**/*.go", "a/../../b", ".env"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		src, err := ParseSource(s, "/top/sub", "/top")
		if err != nil {
			return
		}
		if !filepath.IsLocal(filepath.FromSlash(src.Path)) || Sensitive(src.Path) {
			t.Errorf("%q: %+v", s, src)
		}
		if _, _, ok := lineRange(src.Lines); src.Lines != "" && !ok {
			t.Errorf("%q: %+v", s, src)
		}
	})
}
