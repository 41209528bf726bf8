package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"deck/term/wire"
)

const (
	// maxAudit is when the file of acts gives way to a new one, in bytes; one old
	// file is kept.
	maxAudit = 1 << 20
	// auditBatch is how many acts are written at once.
	auditBatch = 256
	// auditRows is how many acts are listed where nobody says how many.
	auditRows = 100
)

// auditor keeps who did what to whom, a line of JSON each. Notes are taken without
// waiting and written by a goroutine of their own. Safe from any goroutine.
type auditor struct {
	path string // empty: nothing is kept
	log  *slog.Logger

	mu      sync.Mutex
	waiting []wire.Audited // guarded by mu
	writing bool           // guarded by mu: there is a goroutine
	file    sync.Mutex     // held to write or to read the files
}

// add takes a note.
func (a *auditor) add(e wire.Audited) {
	if a.path == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.waiting = append(a.waiting, e); !a.writing {
		a.writing = true
		go a.flush()
	}
}

// flush writes what waits, until nothing does.
func (a *auditor) flush() {
	a.file.Lock()
	defer a.file.Unlock()
	for {
		a.mu.Lock()
		rows := a.waiting[:min(len(a.waiting), auditBatch)]
		a.waiting = a.waiting[len(rows):]
		if len(rows) == 0 {
			a.writing = false
			a.mu.Unlock()
			return
		}
		a.mu.Unlock()
		if err := a.write(rows); err != nil {
			a.log.Error("acts not kept", "acts", len(rows), "err", err)
		}
	}
}

// write appends rows. The caller holds file.
func (a *auditor) write(rows []wire.Audited) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, r := range rows {
		if err := e.Encode(r); err != nil {
			return err
		}
	}
	if err := ownFolder(filepath.Dir(a.path)); err != nil {
		return err
	}
	f, err := os.OpenFile(a.path, os.O_RDWR|os.O_APPEND|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular() || ownerOf(info) != os.Getuid():
		err = errors.New("not a file of this user: " + a.path)
	default:
		// A line that a full disk or a lost server has cut short spoils no other.
		last := []byte{'\n'}
		if _, _ = f.ReadAt(last, info.Size()-1); last[0] != '\n' {
			_, err = f.WriteString("\n")
		}
		if err == nil {
			_, err = f.Write(b.Bytes())
		}
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil && info.Size()+int64(b.Len()) > maxAudit {
		err = os.Rename(a.path, a.old())
	}
	return err
}

// old is the path of the file before this one.
func (a *auditor) old() string { return strings.TrimSuffix(a.path, ".jsonl") + ".1.jsonl" }

// last returns the last n acts, the newest last. A line that is none is left out.
func (a *auditor) last(n int) ([]wire.Audited, error) {
	out := []wire.Audited{}
	if a.path == "" {
		return out, nil
	}
	a.flush()
	a.file.Lock()
	defer a.file.Unlock()
	for _, path := range []string{a.old(), a.path} {
		f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		lines := bufio.NewScanner(io.LimitReader(f, 2*maxAudit))
		for lines.Scan() {
			var e wire.Audited
			if json.Unmarshal(lines.Bytes(), &e) == nil {
				out = append(out, e)
			}
		}
		f.Close()
		if err := lines.Err(); err != nil {
			return nil, err
		}
	}
	return out[max(len(out)-n, 0):], nil
}

// act is what a caller does to a pane, nil for none, as it is kept once it is known
// what came of it.
func (l *loop) act(c caller, verb string, to *pane) wire.Audited {
	e := wire.Audited{Time: time.Now().Format(time.RFC3339Nano), Verb: verb}
	q := l.agentCalling(c)
	if e.Person = q == nil; q == nil {
		q = l.panes[c.pane]
	}
	e.By, e.To = partyOf(q), partyOf(to)
	return e
}

// keep keeps an act, with why it was not done. It may be called outside of the loop.
func (l *loop) keep(e wire.Audited, err error) {
	if err != nil {
		e.Code = codeOf(err)
	}
	l.audit.add(e)
}

// note keeps that a caller did something to a pane, nil for none, or did not.
func (l *loop) note(c caller, verb string, to *pane, err error) { l.keep(l.act(c, verb, to), err) }

func partyOf(p *pane) wire.Party {
	if p == nil {
		return wire.Party{}
	}
	return wire.Party{Pane: string(p.id), Nick: p.nick, Agent: p.status().Agent}
}

// auditQuery is the query of GET /v1/audit.
type auditQuery struct {
	N string `json:"n"`
}

// listAudit tells who did what to whom.
func (l *loop) listAudit(_ context.Context, _ caller, r auditQuery) ([]wire.Audited, error) {
	n := auditRows
	if r.N != "" {
		var err error
		if n, err = strconv.Atoi(r.N); err != nil || n < 1 {
			return nil, invalid("not a number of acts: %s", cleanText(r.N, maxLabel))
		}
	}
	return l.audit.last(n)
}
