package server

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// place is where a pane works; owned by the loop.
type place struct {
	dir     string // that was looked at
	root    string // of the project, empty outside of one
	project string // its name, clean
	branch  string // checked out there, clean
	busy    bool   // a look is under way
	again   bool   // and another one is wanted
}

// key is what the changes of one project's agents are gathered by.
func (w *place) key(p *pane) string {
	if w.root != "" {
		return w.root
	}
	return string(p.id)
}

// locate finds out the project and the branch of a pane's folder, outside of the
// loop. One look of a pane is under way at a time.
func (l *loop) locate(p *pane) {
	if p.place.busy {
		p.place.again = true
		return
	}
	p.place.busy = true
	dir := p.cwd()
	l.aside(func() {
		found := place{dir: dir}
		found.root, found.branch = findProject(dir)
		if found.root != "" {
			found.project = cleanText(filepath.Base(found.root), maxLabel)
		}
		found.branch = cleanText(found.branch, maxLabel)
		l.post(func() { l.located(p, found) })
	})
}

// located takes what a look found.
func (l *loop) located(p *pane, found place) {
	again := p.place.again
	changed := p.place.root != found.root || p.place.branch != found.branch
	p.place = found
	if l.panes[p.id] != p {
		return
	}
	if changed {
		l.change(p)
	}
	if again || p.cwd() != found.dir {
		l.locate(p)
	}
}

// findProject returns the top of the git repository that a folder is in, and
// the branch that is checked out. All worktrees of a repository are one project,
// that of the first. Both are empty where there is none.
func findProject(dir string) (root, branch string) {
	if !filepath.IsAbs(dir) {
		return "", ""
	}
	for {
		at := filepath.Join(dir, ".git")
		if fi, err := os.Stat(at); err == nil {
			if fi.IsDir() {
				return resolved(dir), headOf(at)
			}
			if git := gitDirOf(at); git != "" {
				return mainTop(git, dir), headOf(git)
			}
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", ""
		}
		dir = up
	}
}

// gitDirOf reads a file .git, which says where the real folder is.
func gitDirOf(file string) string {
	rest, ok := strings.CutPrefix(firstLine(file), "gitdir:")
	if !ok {
		return ""
	}
	git := strings.TrimSpace(rest)
	if git != "" && !filepath.IsAbs(git) {
		git = filepath.Join(filepath.Dir(file), git)
	}
	return git
}

// mainTop returns the top of the repository that a worktree belongs to; a
// submodule is a project of its own.
func mainTop(git, dir string) string {
	common := firstLine(filepath.Join(git, "commondir"))
	if common == "" {
		return resolved(dir)
	}
	if !filepath.IsAbs(common) {
		common = filepath.Join(git, common)
	}
	if common = filepath.Clean(common); filepath.Base(common) == ".git" {
		common = filepath.Dir(common)
	}
	return resolved(strings.TrimSuffix(common, ".git"))
}

// resolved is a path without symbolic links, where that can be told.
func resolved(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	return path
}

// headOf returns the branch of a git folder, empty for a commit that no branch
// is at.
func headOf(git string) string {
	branch, ok := strings.CutPrefix(firstLine(filepath.Join(git, "HEAD")), "ref: refs/heads/")
	if !ok {
		return ""
	}
	return branch
}

// maxLine is the most bytes that are read of a file of git's.
const maxLine = 4096

// firstLine returns the first line of a plain file, empty where there is none.
func firstLine(path string) string {
	if fi, err := os.Stat(path); err != nil || !fi.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, maxLine))
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(line)
}
