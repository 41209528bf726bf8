package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// mayImport is the import table of ARCHITECTURE.md: what each package of deck
// may import of deck. Test files may look further down, never up.
var mayImport = map[string]string{
	"":                    "ui/cli",
	"ui/cli":              "term/server term/wire lifecycle hooks hooks/reporter",
	"term/server":         "ui term term/layout term/screen term/wire lifecycle lifecycle/detect hooks context",
	"ui":                  "ui/paint term/keys term/layout term/screen lifecycle",
	"ui/paint":            "term/screen",
	"term":                "term/vt term/keys term/screen",
	"term/wire":           "term/screen lifecycle",
	"term/vt":             "term/screen",
	"term/keys":           "",
	"hooks":               "lifecycle",
	"hooks/reporter":      "hooks term/wire lifecycle",
	"hooks/deck-hook":     "hooks/reporter",
	"hooks/realtest":      "",
	"hooks/realtest/mock": "",
	"lifecycle/detect":    "lifecycle",
	"term/screen":         "",
	"term/layout":         "",
	"lifecycle":           "",
	"context":             "",
	"bench":               "",
}

// onlyIn names the one package that may import a library.
var onlyIn = map[string]string{
	"go.etcd.io/bbolt":                 "context",
	"github.com/blevesearch/bleve":     "context",
	"github.com/creack/pty":            "term bench",
	"github.com/spf13/cobra":           "ui/cli",
	"github.com/modelcontextprotocol":  "ui/cli",
	"github.com/pelletier/go-toml":     "term/server lifecycle/detect hooks",
	"github.com/hinshun/vt10x":         "nothing but tests",
	"github.com/clipperhouse/uax29":    "term/vt ui/paint term/keys term",
	"github.com/rogpeppe/go-internal":  "term/server ui/cli",
	"github.com/tailscale/hujson":      "hooks",
	"github.com/google/go-cmp":         "nothing but tests",
	"charm.land/bubbles":               "ui",
	"github.com/charmbracelet/x/vt":    "nothing",
	"github.com/charmbracelet/x/ansi/": "nothing",
}

// withoutWorld are the packages that take time and text as arguments only.
var withoutWorld = []string{"lifecycle", "term/screen", "term/layout"}

func TestPackagesImportOnlyDownward(t *testing.T) {
	t.Parallel()
	eachFile(t, func(pkg, name string, f *ast.File) {
		allowed, known := mayImport[pkg]
		if !known {
			t.Errorf("%s: package %q is not in the table", name, pkg)
			return
		}
		for _, imp := range f.Imports {
			p, _ := strconv.Unquote(imp.Path.Value)
			if inner, ok := strings.CutPrefix(p, "deck/"); ok && !has(allowed, inner) {
				t.Errorf("%s imports %s", name, p)
			}
			checkLibrary(t, pkg, name, p)
		}
	})
}

func checkLibrary(t *testing.T, pkg, name, imp string) {
	t.Helper()
	for lib, users := range onlyIn {
		if strings.HasPrefix(imp, lib) && !has(users, pkg) {
			t.Errorf("%s imports %s, which is for %s", name, imp, users)
		}
	}
	for _, pure := range withoutWorld {
		if pkg == pure && has("os os/exec net net/http io/fs path/filepath", imp) {
			t.Errorf("%s imports %s: %s knows no files and no network", name, imp, pkg)
		}
	}
}

func TestPurePackagesHaveNoClock(t *testing.T) {
	t.Parallel()
	eachFile(t, func(pkg, name string, f *ast.File) {
		if !has(strings.Join(withoutWorld, " "), pkg) {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "time" && has("Now Since Until After Sleep Tick", s.Sel.Name) {
					t.Errorf("%s uses time.%s", name, s.Sel.Name)
				}
			}
			return true
		})
	})
}

func TestEveryPackageSaysWhyItExists(t *testing.T) {
	t.Parallel()
	doc := map[string]bool{}
	eachFile(t, func(pkg, _ string, f *ast.File) {
		doc[pkg] = doc[pkg] || f.Doc != nil
	})
	for pkg, ok := range doc {
		if !ok {
			t.Errorf("package %q has no doc comment", pkg)
		}
	}
}

// eachFile parses every Go file that is not a test and calls f with its
// package's folder.
func eachFile(t *testing.T, f func(pkg, name string, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != "." && strings.ContainsAny(d.Name()[:1], "._"), d.IsDir() && has("bin testdata", d.Name()):
			return fs.SkipDir
		case d.IsDir(), !strings.HasSuffix(p, ".go"), strings.HasSuffix(p, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		pkg := path.Dir(filepath.ToSlash(p))
		f(strings.TrimPrefix(pkg, "."), p, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func has(words, word string) bool {
	for _, w := range strings.Fields(words) {
		if w == word {
			return true
		}
	}
	return false
}
