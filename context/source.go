package memory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Freshness is how a source stands in one checkout, beside what was cited.
type Freshness string

// From the best to the worst. Only the last two lower a note's score.
const (
	Fresh       Freshness = "fresh"
	MovedLines  Freshness = "moved lines"  // the cited lines are elsewhere in the file
	Renamed     Freshness = "renamed"      // the same file has another name
	FileChanged Freshness = "file changed" // no lines were cited, or they are not there any more
	Missing     Freshness = "missing"
)

// Bounds of the work on sources.
const (
	maxSourceFile  = 4 << 20 // bytes of a file that is hashed
	maxSourceFiles = 500     // files of a glob
	maxSourceWalk  = 20000   // directory entries looked at for a glob or a renamed file
	maxCacheFiles  = 4096
)

// ErrSource says that a file cannot be cited.
var ErrSource = errors.New("can't cite file")

// Sources hashes files of checkouts. It remembers hashes by path, inode, size
// and time, so that a look at what did not change costs an lstat. All its methods may
// be called at the same time.
type Sources struct {
	mu    sync.Mutex
	known map[string]hashed // guarded by mu
}

// NewSources returns one that remembers nothing.
func NewSources() *Sources { return &Sources{known: map[string]hashed{}} }

// hashed is a file's hash with what tells that the file is the same.
type hashed struct {
	info fs.FileInfo
	hash string
}

// settled is how old a change has to be before a hash is remembered: a file
// that was written a moment ago can change again within the grain of its time.
const settled = 2 * time.Second

// ParseSource reads "path", "path:12" and "path:12-40". The path is taken as
// relative to dir, which is in the checkout, and returned relative to its top. A
// path outside of the checkout, through a symbolic link that leaves it, or of a
// file that holds secrets is refused.
func ParseSource(text, dir, checkout string) (Source, error) {
	name, lines := splitLines(text)
	abs := filepath.FromSlash(name)
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(dir, abs)
	}
	rel, err := filepath.Rel(checkout, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return Source{}, fmt.Errorf("%w: %s: it is outside of the project", ErrSource, name)
	}
	rel = filepath.ToSlash(rel)
	if Sensitive(rel) {
		return Source{}, fmt.Errorf("%w: %s: files of its kind hold secrets", ErrSource, name)
	}
	if strings.Count(rel, "**") > 3 { // each multiplies the work of a match
		return Source{}, fmt.Errorf("%w: %s: more than three **", ErrSource, name)
	}
	if isGlob(rel) && lines != "" {
		return Source{}, fmt.Errorf("%w: %s: a pattern has no lines", ErrSource, name)
	}
	return Source{Path: rel, Lines: lines}, nil
}

// splitLines splits "path:12-40" into the path and the lines, if there are any.
func splitLines(text string) (name, lines string) {
	if i := strings.LastIndexByte(text, ':'); i > 0 {
		if _, _, ok := lineRange(text[i+1:]); ok {
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}

// lineRange reads "12" and "12-40".
func lineRange(s string) (first, last int, ok bool) {
	a, b, two := strings.Cut(s, "-")
	first, err := strconv.Atoi(a)
	if err != nil || first < 1 {
		return 0, 0, false
	}
	if !two {
		return first, first, true
	}
	last, err = strconv.Atoi(b)
	return first, last, err == nil && last >= first
}

func isGlob(p string) bool { return strings.ContainsAny(p, "*?[") }

// Cite fills in the hashes of a source as it stands in a checkout.
func (s *Sources) Cite(ctx context.Context, src Source, checkout string) (Source, error) {
	root, err := os.OpenRoot(checkout)
	if err != nil {
		return src, err
	}
	defer root.Close()
	if Sensitive(src.Path) {
		return src, fmt.Errorf("%w: %s: files of its kind hold secrets", ErrSource, src.Path)
	}
	if isGlob(src.Path) {
		hash, n, err := s.globHash(ctx, root, src.Path)
		if err == nil && n == 0 {
			err = fmt.Errorf("%w: %s: no file matches", ErrSource, src.Path)
		}
		src.Hash = hash
		return src, err
	}
	if src.Hash, err = s.fileHash(root, src.Path); err != nil {
		return src, citeError(src.Path, err)
	}
	if src.Lines == "" {
		return src, nil
	}
	first, last, ok := lineRange(src.Lines)
	text, err := readSource(root, src.Path)
	if err != nil {
		return src, citeError(src.Path, err)
	}
	lines := trimmedLines(text)
	if !ok || last > len(lines) {
		return src, fmt.Errorf("%w: %s: it has %d lines", ErrSource, src.Path, len(lines))
	}
	src.Cited = hashText(strings.Join(lines[first-1:last], "\n"))
	return src, nil
}

func citeError(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: %s: no such file", ErrSource, name)
	case errors.Is(err, errTooBig):
		return fmt.Errorf("%w: %s: it is larger than %d MB", ErrSource, name, maxSourceFile>>20)
	case errors.Is(err, fs.ErrInvalid):
		return fmt.Errorf("%w: %s: no plain file", ErrSource, name)
	}
	return fmt.Errorf("%w: %s: %w", ErrSource, name, err)
}

// State is how one source stands.
type State struct {
	Source    Source    `json:"source"`
	Freshness Freshness `json:"freshness"`
	Now       string    `json:"now,omitempty"` // where it is, if it moved: "path:12-40" or "path"
}

// Look compares sources with a checkout. What cannot be read counts as missing.
// It stops where ctx ends: what was not looked at by then is left out.
func (s *Sources) Look(ctx context.Context, sources []Source, checkout string) []State {
	root, err := os.OpenRoot(checkout)
	if err != nil {
		return nil
	}
	defer root.Close()
	var out []State
	for _, src := range sources {
		if ctx.Err() != nil {
			return out
		}
		if src.Hash == "" {
			continue // cited without a look at it
		}
		out = append(out, s.look(ctx, root, src))
	}
	return out
}

func (s *Sources) look(ctx context.Context, root *os.Root, src Source) State {
	st := State{Source: src, Freshness: Missing}
	if Sensitive(src.Path) {
		return st
	}
	if isGlob(src.Path) {
		switch hash, n, err := s.globHash(ctx, root, src.Path); {
		case err != nil || n == 0:
		case hash == src.Hash:
			st.Freshness = Fresh
		default:
			st.Freshness = FileChanged
		}
		return st
	}
	hash, err := s.fileHash(root, src.Path)
	switch {
	case err != nil:
		if to := s.renamed(ctx, root, src); to != "" {
			st.Freshness, st.Now = Renamed, to
		}
		return st
	case hash == src.Hash:
		st.Freshness = Fresh
		return st
	}
	st.Freshness = FileChanged
	if first, last, ok := lineRange(src.Lines); ok && src.Cited != "" {
		if text, err := readSource(root, src.Path); err == nil {
			st.Freshness, st.Now = linesNow(trimmedLines(text), first, last, src)
		}
	}
	return st
}

// maxHashed bounds the bytes that are hashed to find moved lines.
const maxHashed = 8 << 20

// linesNow looks for the cited lines: where they were, then ever farther away.
func linesNow(lines []string, first, last int, src Source) (Freshness, string) {
	n := last - first + 1
	hashedBytes := 0
	here := func(from int) bool { // from counts from 1
		if from < 1 || from+n-1 > len(lines) {
			return false
		}
		text := strings.Join(lines[from-1:from-1+n], "\n")
		hashedBytes += len(text) + 32
		return hashText(text) == src.Cited
	}
	if here(first) {
		return Fresh, ""
	}
	for d := 1; d < max(len(lines), first) && hashedBytes < maxHashed; d++ {
		for _, from := range []int{first + d, first - d} {
			switch {
			case !here(from):
			case n == 1:
				return MovedLines, fmt.Sprintf("%s:%d", src.Path, from)
			default:
				return MovedLines, fmt.Sprintf("%s:%d-%d", src.Path, from, from+n-1)
			}
		}
	}
	return FileChanged, ""
}

// renamed looks for a file with the same content: those of the same suffix
// first near where it was, then everywhere, within bounds.
func (s *Sources) renamed(ctx context.Context, root *os.Root, src Source) string {
	var found string
	files := 0
	ext := path.Ext(src.Path)
	walked(ctx, root, func(p string, d fs.DirEntry) bool {
		if path.Ext(p) != ext || Sensitive(p) {
			return true
		}
		if files++; files > maxSourceFiles {
			return false
		}
		if hash, err := s.fileHash(root, p); err == nil && hash == src.Hash {
			found = p
		}
		return found == ""
	})
	return found
}

// skipFolders are never searched for sources.
var skipFolders = set(`.git .hg .svn node_modules vendor target dist build .deck .venv __pycache__ .cache`)

// walked calls f for every plain file of a checkout, in order, until it returns false.
func walked(ctx context.Context, root *os.Root, f func(p string, d fs.DirEntry) bool) {
	seen := 0
	_ = fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if seen++; seen > maxSourceWalk || ctx.Err() != nil {
			return fs.SkipAll
		}
		switch {
		case err != nil:
			return nil
		case d.IsDir() && p != "." && skipFolders[d.Name()]:
			return fs.SkipDir
		case d.Type().IsRegular() && !f(p, d):
			return fs.SkipAll
		}
		return nil
	})
}

// globHash is a hash of the names and contents of the files a pattern names,
// and how many those are. ** stands for any number of folders.
func (s *Sources) globHash(ctx context.Context, root *os.Root, pattern string) (string, int, error) {
	if _, err := path.Match(pattern, ""); err != nil {
		return "", 0, fmt.Errorf("%w: %s: no pattern", ErrSource, pattern)
	}
	var names []string
	parts := strings.Split(pattern, "/")
	walked(ctx, root, func(p string, _ fs.DirEntry) bool {
		if globMatch(parts, strings.Split(p, "/")) && !Sensitive(p) {
			names = append(names, p)
		}
		return len(names) < maxSourceFiles
	})
	if ctx.Err() != nil {
		return "", 0, ctx.Err()
	}
	slices.Sort(names)
	h := sha256.New()
	for _, p := range names {
		hash, err := s.fileHash(root, p)
		if err != nil {
			hash = "-"
		}
		fmt.Fprintf(h, "%s %s\n", hash, p)
	}
	return short(h.Sum(nil)), len(names), nil
}

// globMatch matches folder by folder.
func globMatch(pattern, name []string) bool {
	for len(pattern) > 0 {
		if pattern[0] == "**" {
			for len(pattern) > 0 && pattern[0] == "**" {
				pattern = pattern[1:]
			}
			if len(pattern) == 0 {
				return true
			}
			for i := range name {
				if globMatch(pattern, name[i:]) {
					return true
				}
			}
			return false
		}
		if len(name) == 0 {
			return false
		}
		if ok, err := path.Match(pattern[0], name[0]); !ok || err != nil {
			return false
		}
		pattern, name = pattern[1:], name[1:]
	}
	return len(name) == 0
}

var errTooBig = errors.New("too big")

// fileHash is the hash of a plain file within root, remembered while the file
// is the same.
func (s *Sources) fileHash(root *os.Root, name string) (string, error) {
	key := root.Name() + "\x00" + name
	info, err := root.Lstat(name)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	k, ok := s.known[key]
	s.mu.Unlock()
	if ok && k.info.Size() == info.Size() && k.info.ModTime().Equal(info.ModTime()) && os.SameFile(k.info, info) {
		return k.hash, nil
	}
	f, info, err := openPlain(root, name, maxSourceFile)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, maxSourceFile+1)); err != nil {
		return "", err
	}
	hash := short(h.Sum(nil))
	if time.Since(info.ModTime()) < settled {
		return hash, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= maxCacheFiles {
		clear(s.known)
	}
	s.known[key] = hashed{info, hash}
	return hash, nil
}

// openPlain opens a plain file of at most limit bytes, not through a symbolic link at
// its end, and never outside of root. What is not one is fs.ErrInvalid, and a pipe that took
// the file's place keeps nobody waiting.
func openPlain(root *os.Root, name string, limit int64) (*os.File, fs.FileInfo, error) {
	before, err := root.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, nil, fs.ErrInvalid
	}
	if before.Size() > limit {
		return nil, nil, errTooBig
	}
	f, err := root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !os.SameFile(before, info) {
		err = fs.ErrInvalid
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func readSource(root *os.Root, name string) (string, error) {
	f, _, err := openPlain(root, name, maxSourceFile)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSourceFile+1))
	return string(b), err
}

// trimmedLines are the lines of a text without what is around them, so that a
// change of indentation is none.
func trimmedLines(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return lines
}

func hashText(s string) string {
	h := sha256.Sum256([]byte(s))
	return short(h[:])
}

// short is enough of a hash to tell files apart.
func short(h []byte) string { return hex.EncodeToString(h[:16]) }

// Sum is one word for how all of a note's sources stand, and a factor for its
// score: nothing cited is "", 1.
func Sum(states []State) (word Freshness, factor float64) {
	rank := map[Freshness]int{Fresh: 1, MovedLines: 2, Renamed: 3, FileChanged: 4, Missing: 5}
	for _, s := range states {
		if rank[s.Freshness] > rank[word] {
			word = s.Freshness
		}
	}
	switch word {
	case FileChanged:
		for _, s := range states {
			if s.Freshness == FileChanged && s.Source.Cited != "" {
				return word, 0.85 // the cited lines are gone
			}
		}
		return word, 0.95
	case Missing:
		return word, 0.8
	}
	return word, 1
}
