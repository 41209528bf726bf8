package server

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	memory "deck/context"
	"deck/term/wire"
)

// doctor looks the memory over.
func (a *archive) doctor(ctx context.Context, _ caller, r wire.Doctor) (wire.Diagnosis, error) {
	st, err := a.open()
	if err != nil {
		return wire.Diagnosis{}, err
	}
	checks, err := st.Doctor(ctx, r.Fix)
	if r.Fix {
		a.written.changeAll()
	}
	out := wire.Diagnosis{Checks: []wire.Check{}, Notices: st.Notices()}
	for _, c := range checks {
		out.Checks = append(out.Checks, wire.Check{Name: c.Name, OK: c.OK, Detail: cleanText(c.Detail, maxText), Fixed: c.Fixed})
	}
	return out, memoryError(err)
}

// compact writes the file anew without its free pages.
func (a *archive) compact(ctx context.Context, _ caller, _ none) (wire.Compacted, error) {
	st, err := a.open()
	if err != nil {
		return wire.Compacted{}, err
	}
	s, err := st.Compact(ctx)
	return wire.Compacted{Before: s.Before, After: s.After}, memoryError(err)
}

// backup copies the memory as it is.
func (a *archive) backup(ctx context.Context, _ caller, _ none) (wire.BackedUp, error) {
	st, err := a.open()
	if err != nil {
		return wire.BackedUp{}, err
	}
	path, err := st.Backup(ctx)
	return wire.BackedUp{Path: path}, memoryError(err)
}

// maxImport is the most bytes of an import. All of it is looked at before anything is
// stored, and takes a few times as much in the process that owns the panes.
const maxImport = 256 << 20

// importQuery is the query of POST /v1/memory/import.
type importQuery struct {
	Cwd     string `json:"cwd"`
	Project string `json:"project"`
	DryRun  string `json:"dry_run"`
}

// imports takes the records of another memory as they come.
func (a *archive) imports(w http.ResponseWriter, r *http.Request) {
	var q importQuery
	if err := decodeQuery(r.URL.Query(), &q); err != nil {
		answerError(w, err)
		return
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	got, err := a.importFrom(r.Context(), q, http.MaxBytesReader(w, r.Body, maxImport))
	if err != nil {
		answerError(w, err)
		return
	}
	answer(w, http.StatusOK, got)
}

func (a *archive) importFrom(ctx context.Context, q importQuery, body io.Reader) (wire.Imported, error) {
	s, err := a.stand(ctx, wire.Place{Cwd: q.Cwd, Project: q.Project}, false)
	if err != nil {
		return wire.Imported{}, err
	}
	o := memory.ImportOptions{DryRun: q.DryRun != ""}
	if q.Project != "" {
		o.Project = s.project.ID
	}
	got, err := s.store.Import(ctx, body, o)
	a.written.changeAll()
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		err = invalid("an import has at most %d MB: it can be cut between any two lines", long.Limit>>20)
	}
	return wire.Imported{Records: got.Records, New: got.New, Changed: got.Changed, Same: got.Same, Redacted: got.Redacted, Cut: got.Cut,
		Projects: got.Projects}, memoryError(err)
}

// exports answers with the records of an export. One that breaks off has fewer
// of them than its first line says.
func (a *archive) exports(w http.ResponseWriter, r *http.Request) {
	var e wire.Export
	if err := decode(w, r, &e); err != nil {
		answerError(w, err)
		return
	}
	s, err := a.stand(r.Context(), e.Place, false)
	if err != nil {
		answerError(w, err)
		return
	}
	o := memory.ExportOptions{Project: s.project.ID}
	if o.Since, err = parseTime(e.Since); err != nil {
		answerError(w, err)
		return
	}
	out := &lateHeader{w: w}
	if _, err := s.store.Export(r.Context(), out, o); err != nil {
		a.log.Warn("export broke off", "err", err)
		if !out.begun {
			answerError(w, memoryError(err))
		}
	}
}

// lateHeader begins a successful answer with its first byte.
type lateHeader struct {
	w     http.ResponseWriter
	begun bool
}

// Write begins the answer where it has not begun.
func (l *lateHeader) Write(p []byte) (int, error) {
	if !l.begun {
		l.begun = true
		l.w.Header().Set("Content-Type", "application/x-ndjson")
		l.w.WriteHeader(http.StatusOK)
	}
	return l.w.Write(p)
}
