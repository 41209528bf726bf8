package memory

import (
	"bufio"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// FindPlace says what the file system knows of a folder: which repository it
// belongs to, which checkout, what is checked out. It reads git's files itself,
// which takes a fraction of a millisecond, and starts nothing. A worktree has
// the key of its repository; a submodule and a repository within another have
// their own; a folder outside of git is its own key.
//
// Where a worktree's repository was moved away, the place still has the key the
// repository had, so that what was remembered there is found.
func FindPlace(dir string) (Place, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return Place{}, err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return Place{}, err
	}
	p := Place{Dir: real, Key: real, Checkout: real}
	for at := real; ; at = filepath.Dir(at) {
		if g, ok := gitDirOf(at); ok {
			p.fromGit(g)
			return p, nil
		}
		if at == filepath.Dir(at) {
			return p, nil
		}
	}
}

// keys are what the projects around a place may be known by, the deepest first:
// its folders up to the top of its checkout, each also as it lies in the
// repository's first checkout, then the repository. A repository is a project
// of its own wherever it lies, so what is above it does not count. Outside of git
// it is all folders above.
func (p Place) keys() []string {
	var out []string
	main := projectFolder(p.Key)
	for dir := p.Dir; dir != "" && (!p.Git || dir != p.Checkout); dir = filepath.Dir(dir) {
		out = append(out, dir)
		if rel, err := filepath.Rel(p.Checkout, dir); p.Git && main != p.Checkout && err == nil && filepath.IsLocal(rel) {
			out = append(out, filepath.Join(main, rel))
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return append(out, p.Key)
}

// In is the place as one of a project that it was found to be in. Outside of git the
// project's folder is the checkout, however deep in it one stands: what is cited and
// what is done there is the same for all of it.
func (p Place) In(project Project) Place {
	if p.Git {
		return p
	}
	for dir := p.Dir; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if slices.Contains(project.Paths, dir) {
			p.Checkout = dir
			break
		}
	}
	return p
}

// linked is the place that is meant where a folder is made part of a project:
// the whole repository at the top of a checkout, and below it that folder alone.
func (p Place) linked() Place {
	if !p.Git || p.Dir == p.Checkout {
		return p
	}
	return Place{Dir: p.Dir, Key: p.Dir, Checkout: p.Checkout}
}

// gitDir is where git keeps what belongs to one checkout, and what belongs to
// all of them.
type gitDir struct {
	top    string // of the checkout
	own    string // HEAD and index
	common string // objects, refs, config
	alive  bool   // own exists
}

// smallFile bounds what is read of git's own small files, in bytes.
const smallFile = 1 << 20

// gitDirOf looks for a repository whose checkout has its top at dir.
func gitDirOf(dir string) (gitDir, bool) {
	dot := filepath.Join(dir, ".git")
	info, err := os.Stat(dot)
	switch {
	case err != nil:
		if isGitDir(dir) { // bare, or within .git
			return gitDir{dir, dir, commonOf(dir), true}, true
		}
		return gitDir{}, false
	case info.IsDir():
		dot = resolved(dot)
		return gitDir{dir, dot, commonOf(dot), true}, isGitDir(dot)
	}
	text, err := readSmall(dot)
	target, ok := strings.CutPrefix(strings.TrimSpace(text), "gitdir:")
	if err != nil || !ok {
		return gitDir{}, false
	}
	own := strings.TrimSpace(target)
	if !filepath.IsAbs(own) {
		own = filepath.Join(dir, own)
	}
	if isGitDir(own) {
		own = resolved(own)
		return gitDir{dir, own, commonOf(own), true}, true
	}
	common := filepath.Clean(own)
	if up := filepath.Dir(common); filepath.Base(up) == "worktrees" {
		common = filepath.Dir(up)
	}
	return gitDir{top: dir, own: own, common: common}, true
}

// isGitDir goes by what git itself goes by.
func isGitDir(dir string) bool {
	head, err := os.Lstat(filepath.Join(dir, "HEAD"))
	if err != nil || head.IsDir() {
		return false
	}
	if exists(filepath.Join(dir, "commondir")) {
		return true
	}
	return exists(filepath.Join(dir, "objects")) && exists(filepath.Join(dir, "refs"))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

// commonOf is the folder that all worktrees of a repository share.
func commonOf(own string) string {
	text, err := readSmall(filepath.Join(own, "commondir"))
	if err != nil {
		return own
	}
	common := strings.TrimSpace(text)
	if !filepath.IsAbs(common) {
		common = filepath.Join(own, common)
	}
	return resolved(common)
}

func (p *Place) fromGit(g gitDir) {
	p.Git, p.Key, p.Checkout = true, g.common, g.top
	if !g.alive {
		return
	}
	p.Branch, p.Commit = head(g)
	p.Remote = remoteOf(filepath.Join(g.common, "config"))
	p.Root = firstCommit(filepath.Join(g.common, "logs", "HEAD"))
}

// head reads the branch and the commit that are checked out: no branch for a
// detached head, no commit before the first.
func head(g gitDir) (branch, commit string) {
	ref := "HEAD"
	for range 5 { // symbolic refs may point to symbolic refs
		text, err := readSmall(filepath.Join(g.own, ref))
		if errors.Is(err, fs.ErrNotExist) {
			text, err = readSmall(filepath.Join(g.common, ref))
		}
		if err != nil {
			return branch, packedRef(filepath.Join(g.common, "packed-refs"), ref)
		}
		text = strings.TrimSpace(text)
		target, symbolic := strings.CutPrefix(text, "ref:")
		if !symbolic {
			return branch, commitHash(text)
		}
		ref = strings.TrimSpace(target)
		if !strings.HasPrefix(ref, "refs/") || strings.Contains(ref, "..") {
			return branch, ""
		}
		if name, ok := strings.CutPrefix(ref, "refs/heads/"); ok && branch == "" && name != ".invalid" {
			branch = name // .invalid stands there when refs are kept in another format
		}
	}
	return branch, ""
}

// commitHash is s if it is an object's name.
func commitHash(s string) string {
	if (len(s) == 40 || len(s) == 64) && run(s, 0, isHex) == len(s) {
		return s
	}
	return ""
}

// packedRef finds a ref among the packed ones.
func packedRef(file, ref string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if hash, name, ok := strings.Cut(sc.Text(), " "); ok && name == ref {
			return commitHash(hash)
		}
	}
	return ""
}

// firstCommit reads the name of the first commit from the log of HEAD, if the
// repository began here; working it out from the history costs too much.
func firstCommit(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, err := bufio.NewReaderSize(f, 4096).ReadSlice('\n')
	if err != nil {
		return ""
	}
	what, message, _ := strings.Cut(string(line), "\t")
	ids := strings.Fields(what)
	if !strings.HasPrefix(message, "commit (initial)") || len(ids) < 2 {
		return ""
	}
	return commitHash(ids[1])
}

// remoteOf reads the address of origin, or of the first remote, from git's
// configuration.
func remoteOf(file string) string {
	text, err := readSmall(file)
	if err != nil {
		return ""
	}
	first, section := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.TrimSpace(strings.Trim(line, "[]"))
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || !strings.HasPrefix(section, `remote "`) || !strings.EqualFold(strings.TrimSpace(key), "url") {
			continue
		}
		remote := NormalRemote(strings.Trim(strings.TrimSpace(value), `"`))
		if section == `remote "origin"` {
			return remote
		}
		if first == "" {
			first = remote
		}
	}
	return first
}

// NormalRemote is a remote's address as it is compared: host and path, without
// scheme, login, port and ".git", so that git@host:a/b.git and
// https://user:pw@host/a/b are the same. A path on this machine is no remote: "".
func NormalRemote(address string) string {
	address = strings.TrimSpace(address)
	var host, path string
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		host, path = u.Hostname(), u.Path
	} else if i := strings.Index(address, "://"); i >= 0 {
		rest := address[i+3:]
		slash := strings.IndexByte(rest, '/')
		if slash < 0 {
			return ""
		}
		host, path = rest[strings.LastIndexByte(rest[:slash], '@')+1:slash], rest[slash:]
		host, _, _ = strings.Cut(host, ":")
	} else if at, rest, ok := strings.Cut(address, ":"); ok && !strings.ContainsAny(at, `/\`) && len(at) > 1 {
		host, path = at[strings.LastIndexByte(at, '@')+1:], rest
	}
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	if host == "" || path == "" {
		return ""
	}
	return strings.ToLower(host) + "/" + strings.TrimPrefix(path, "~")
}

// readSmall reads a regular file that is meant to be small.
func readSmall(file string) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > smallFile {
		return "", fs.ErrInvalid
	}
	b, err := os.ReadFile(file)
	return string(b), err
}
