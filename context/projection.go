package memory

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
)

// Folder is where a checkout has its projections and its spool.
const Folder = ".deck"

// maxProjection bounds a projected file, in bytes.
const maxProjection = 64 << 10

// File is a projected file.
type File struct {
	Name string // within Folder
	Text string
}

// ErrProjection says that a checkout's folder is not one to write to.
var ErrProjection = errors.New("can't write notes for the project")

const projected = "<!-- Written by deck from its memory: changes here are lost. Notes of earlier sessions, may be out of date. -->\n"

// Projections are a project's memory as Markdown, for people, and for agents
// that reach nothing else. They are written and never read back, but for a
// sandbox that is let read nothing else. Secrets are taken out once more, by the rules
// of redact.
func Projections(in PackageInput, redact *Redactor) []File {
	notes := slices.Clone(in.Notes)
	slices.SortFunc(notes, func(a, b Known) int { return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(a.ID, b.ID)) })
	files := []File{
		{"STATE.md", projectState(in)},
		{"TASK.md", projectTask(in.Task)},
		{"MEMORY.md", projectNotes("Knowledge of "+in.Project, notes, in.More, func(k Kind) bool { return k != Decision })},
		{"DECISIONS.md", projectNotes("Decisions of "+in.Project, notes, in.More, func(k Kind) bool { return k == Decision })},
	}
	for i, f := range files {
		files[i].Text, _ = redact.Redact(f.Text)
	}
	return files
}

func projectState(in PackageInput) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s# State of %s\n\n", projected, oneLine(in.Project, 80))
	for _, f := range [][2]string{
		{"Branch", in.Place.Branch}, {"Status", in.Task.Status}, {"Step", in.Task.Step}, {"Next", in.Task.Next}, {"Tests", in.Task.Tests}, {"Error", in.Task.Error},
	} {
		if f[1] != "" {
			fmt.Fprintf(&b, "- %s: %s\n", f[0], oneLine(f[1], maxLine))
		}
	}
	if !in.Task.Updated.IsZero() {
		fmt.Fprintf(&b, "- Updated: %s\n", in.Task.Updated.UTC().Format("2006-01-02 15:04 MST"))
	}
	for i, h := range in.Handoffs {
		if i == 0 {
			b.WriteString("\n## Handed over\n\n")
		}
		fmt.Fprintf(&b, "- %s%s: %s\n", who(h.From), to(h.To), oneLine(cmp.Or(h.Title, h.Text), maxLine))
	}
	return b.String()
}

func projectTask(t Task) string {
	if t.Task == "" {
		return projected + "# Task\n\nNone.\n"
	}
	return projected + "# Task\n\n" + strings.TrimSpace(t.Task) + "\n"
}

// projectNotes lists notes, the newest first, up to a bound that it says it met.
func projectNotes(title string, notes []Known, more map[Kind]int, wanted func(Kind) bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s# %s\n", projected, oneLine(title, 100))
	left := 0
	for k, n := range more {
		if wanted(k) {
			left += n
		}
	}
	for _, n := range notes {
		if !wanted(n.Kind) || !n.Live() {
			continue
		}
		entry := projectNote(n)
		if b.Len()+len(entry) > maxProjection-100 {
			left++
			continue
		}
		b.WriteString(entry)
	}
	if left > 0 {
		fmt.Fprintf(&b, "\n%s did not fit.\n", counted(left, "note"))
	}
	return b.String()
}

func projectNote(n Known) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s %s\n\n", n.Short, oneLine(n.Head(), 100))
	b.WriteString(quoted(n.Text))
	if n.Reason != "" {
		b.WriteString("\nBecause: " + oneLine(n.Reason, maxLine) + "\n")
	}
	var about []string
	about = append(about, string(n.Kind), strings.ToLower(string(n.Status)), n.Updated.UTC().Format("2006-01-02"))
	if len(n.Files) > 0 {
		about = append(about, strings.TrimSpace(files(n)))
	}
	fmt.Fprintf(&b, "\n_%s_\n", strings.Join(about, ", "))
	return b.String()
}

// quoted keeps a note's own headings from being taken for the file's.
func quoted(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text)) {
		if strings.HasPrefix(line, "#") {
			line = `\` + line
		}
		b.WriteString(line)
	}
	return b.String() + "\n"
}

// WriteProjections writes files into a checkout's folder, which it makes if
// need be and which git ignores by a file of its own. Each file appears at once and
// whole; one that would not change is left alone. A folder that is a symbolic link
// or another user's is refused.
func WriteProjections(checkout string, files []File) error {
	dir, err := openFolder(checkout, true)
	if err != nil {
		return err
	}
	defer dir.Close()
	for _, f := range files {
		if old, err := readPlain(dir, f.Name, maxProjection+1); err == nil && old == f.Text {
			continue
		}
		if err := folderIn(dir, path.Dir(f.Name)); err != nil {
			return fmt.Errorf("%w: %s/%s: %w", ErrProjection, Folder, f.Name, err)
		}
		if err := replaceFile(dir, f.Name, f.Text); err != nil {
			return fmt.Errorf("%w: %s/%s: %w", ErrProjection, Folder, f.Name, err)
		}
	}
	return nil
}

// projections are the names of the projected files.
var projections = []string{"STATE.md", "TASK.md", "MEMORY.md", "DECISIONS.md"}

// RemoveProjections removes a checkout's projected files where there are any.
func RemoveProjections(checkout string) error {
	dir, err := openFolder(checkout, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	var errs []error
	for _, name := range projections {
		if err := dir.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("%w: %s/%s: %w", ErrProjection, Folder, name, err))
		}
	}
	return errors.Join(errs...)
}

// ReadProjections reads a checkout's projected files, as many as there are, for
// those that cannot ask the server.
func ReadProjections(checkout string) ([]File, error) {
	dir, err := openFolder(checkout, false)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var out []File
	for _, name := range projections {
		if text, err := readPlain(dir, name, maxProjection+1); err == nil {
			out = append(out, File{name, clean(text) + "\n"})
		}
	}
	return out, nil
}

// openFolder opens a checkout's own folder, as a root nothing leads out of.
func openFolder(checkout string, create bool) (*os.Root, error) {
	top, err := os.OpenRoot(checkout)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProjection, err)
	}
	defer top.Close()
	info, err := top.Lstat(Folder)
	if errors.Is(err, fs.ErrNotExist) && create {
		if err = top.Mkdir(Folder, 0o700); err == nil || errors.Is(err, fs.ErrExist) {
			info, err = top.Lstat(Folder)
		}
	}
	if err == nil {
		err = plainFolder(info)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrProjection, Folder, err)
	}
	dir, err := top.OpenRoot(Folder)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProjection, err)
	}
	if opened, err := dir.Stat("."); err != nil || !os.SameFile(info, opened) {
		dir.Close()
		return nil, fmt.Errorf("%w: %s changed meanwhile", ErrProjection, Folder)
	}
	if create {
		err = ignoreAll(dir)
	}
	if err != nil {
		dir.Close()
		return nil, fmt.Errorf("%w: %w", ErrProjection, err)
	}
	return dir, nil
}

// folderIn makes a folder within dir where it is missing.
func folderIn(dir *os.Root, name string) error {
	if name == "." {
		return nil
	}
	if err := dir.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := dir.Lstat(name)
	if err != nil {
		return err
	}
	return plainFolder(info)
}

// plainFolder refuses symbolic links, files, and folders of others.
func plainFolder(info fs.FileInfo) error {
	if !info.IsDir() {
		return errors.New("it is no folder")
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return errors.New("it belongs to another user")
	}
	return nil
}

// ignoreAll has git ignore the folder, unless a person decided what it ignores.
func ignoreAll(dir *os.Root) error {
	if _, err := dir.Lstat(".gitignore"); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return replaceFile(dir, ".gitignore", "*\n")
}

// replaceFile puts a file in the place of whatever has its name, at once.
func replaceFile(dir *os.Root, name, text string) error {
	var salt [8]byte
	_, _ = rand.Read(salt[:])
	tmp := ".tmp-" + hex.EncodeToString(salt[:])
	f, err := dir.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err == nil {
		err = dir.Rename(tmp, name)
	}
	if err != nil {
		_ = dir.Remove(tmp)
	}
	return err
}

// readPlain reads at most limit bytes of a plain file that is no symbolic link.
func readPlain(dir *os.Root, name string, limit int64) (string, error) {
	f, _, err := openPlain(dir, name, limit)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit))
	return string(b), err
}
