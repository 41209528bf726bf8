package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// remembers asks a verb of memory.
func remembers[Resp any](ctx context.Context, c *Conn, verb string, req any) (Resp, error) {
	return call[Resp](ctx, c, http.MethodPost, "/v1/memory/"+verb, req)
}

// Recall finds notes.
func (c *Conn) Recall(ctx context.Context, r Recall) (Recalled, error) {
	return remembers[Recalled](ctx, c, "recall", r)
}

// Remember stores a note.
func (c *Conn) Remember(ctx context.Context, r Remember) (Remembered, error) {
	return remembers[Remembered](ctx, c, "remember", r)
}

// Notes lists a project's notes.
func (c *Conn) Notes(ctx context.Context, r ListNotes) ([]Note, error) {
	return remembers[[]Note](ctx, c, "notes", r)
}

// Note finds one note.
func (c *Conn) Note(ctx context.Context, r FindNote) (Note, error) {
	return remembers[Note](ctx, c, "note", r)
}

// VerifyNote records what somebody concluded about a note.
func (c *Conn) VerifyNote(ctx context.Context, r VerifyNote) (Remembered, error) {
	return remembers[Remembered](ctx, c, "verify", r)
}

// SupersedeNote puts a newer note in the place of an older one.
func (c *Conn) SupersedeNote(ctx context.Context, r SupersedeNote) (Remembered, error) {
	return remembers[Remembered](ctx, c, "supersede", r)
}

// UpdateTask changes the task of a checkout.
func (c *Conn) UpdateTask(ctx context.Context, r UpdateTask) (Task, error) {
	return remembers[Task](ctx, c, "task", r)
}

// Context returns what whoever begins to work should know.
func (c *Conn) Context(ctx context.Context, r GetContext) (Context, error) {
	return remembers[Context](ctx, c, "context", r)
}

// Projects lists all projects.
func (c *Conn) Projects(ctx context.Context) ([]Project, error) {
	return remembers[[]Project](ctx, c, "projects", struct{}{})
}

// ProjectPage tells what is known of a project.
func (c *Conn) ProjectPage(ctx context.Context, p Place) (ProjectPage, error) {
	return remembers[ProjectPage](ctx, c, "project", p)
}

// ChangeProject renames a project, links a folder to it or makes it private.
func (c *Conn) ChangeProject(ctx context.Context, r ChangeProject) (Project, error) {
	return remembers[Project](ctx, c, "project/change", r)
}

// ForgetProject removes a project and all that it knows.
func (c *Conn) ForgetProject(ctx context.Context, p Place) (Forgotten, error) {
	return remembers[Forgotten](ctx, c, "project/forget", p)
}

// Relate ties a project to another.
func (c *Conn) Relate(ctx context.Context, r Relate) (Relation, error) {
	return remembers[Relation](ctx, c, "relate", r)
}

// Doctor looks the memory over.
func (c *Conn) Doctor(ctx context.Context, r Doctor) (Diagnosis, error) {
	return remembers[Diagnosis](ctx, c, "doctor", r)
}

// Compact writes the memory's file anew without its free pages.
func (c *Conn) Compact(ctx context.Context) (Compacted, error) {
	return remembers[Compacted](ctx, c, "compact", struct{}{})
}

// Backup copies the memory as it is.
func (c *Conn) Backup(ctx context.Context) (BackedUp, error) {
	return remembers[BackedUp](ctx, c, "backup", struct{}{})
}

// Import stores records, one JSON object a line. Those that name no project are
// of the place's.
func (c *Conn) Import(ctx context.Context, p Place, dryRun bool, records io.Reader) (Imported, error) {
	q := url.Values{"cwd": {p.Cwd}, "project": {p.Project}}
	if dryRun {
		q.Set("dry_run", "1")
	}
	var got Imported
	r, err := c.roundTrip(ctx, http.MethodPost, "/v1/memory/import?"+q.Encode(), records)
	if err != nil {
		return got, err
	}
	defer r.Body.Close()
	return got, json.NewDecoder(r.Body).Decode(&got)
}

// errCutExport is an export that ended before it was whole.
var errCutExport = errors.New("the export broke off; the server's log may tell why")

// Export copies the records of an export to w, and returns how many there were. An
// export that is not whole is an error.
func (c *Conn) Export(ctx context.Context, e Export, w io.Writer) (int, error) {
	body, err := json.Marshal(e)
	if err != nil {
		return 0, err
	}
	r, err := c.roundTrip(ctx, http.MethodPost, "/v1/memory/export", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	defer r.Body.Close()
	in := bufio.NewReader(r.Body)
	head, err := in.ReadBytes('\n')
	var first struct{ Count int }
	if err != nil || json.Unmarshal(head, &first) != nil {
		return 0, errCutExport
	}
	if _, err := w.Write(head); err != nil {
		return 0, err
	}
	lines := &lineCount{w: w}
	if _, err := io.Copy(lines, in); err != nil {
		if lines.failed {
			return 0, err
		}
		return 0, fmt.Errorf("%w: %w", errCutExport, err)
	}
	if lines.n != first.Count {
		return 0, errCutExport
	}
	return lines.n, nil
}

// lineCount counts the lines that pass through it.
type lineCount struct {
	w      io.Writer
	n      int
	failed bool // w did, and not what is copied from
}

func (l *lineCount) Write(p []byte) (int, error) {
	l.n += bytes.Count(p, []byte("\n"))
	n, err := l.w.Write(p)
	l.failed = err != nil
	return n, err
}
