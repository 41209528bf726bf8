package detect

import (
	"cmp"
	"slices"
	"strings"

	"deck/lifecycle"
)

// maxRecords is how many records one terminal keeps; the one that was reported
// longest ago goes first.
const maxRecords = 256

// Records is what a terminal knows from the program status protocol: a record
// for the program itself, the root, and one for each child it reported. The
// zero value is empty. It has no lock.
type Records struct {
	byID  map[string]*kept
	count uint64
}

type kept struct {
	Record
	updated uint64
}

// Apply takes a report and says whether anything changed. It replaces its
// record whole; "clear" removes the record and all below it, without an id all
// there are.
func (r *Records) Apply(rec Record) bool {
	r.count++
	if rec.State == "clear" {
		return r.remove(func(id string) bool {
			return rec.ID == "" || id == rec.ID || strings.HasPrefix(id, rec.ID+"/")
		})
	}
	if r.byID == nil {
		r.byID = map[string]*kept{}
	}
	old := r.byID[rec.ID]
	r.byID[rec.ID] = &kept{rec, r.count}
	if old == nil && len(r.byID) > maxRecords {
		r.evict()
	}
	return old == nil || old.Record != rec
}

func (r *Records) evict() {
	oldest := ""
	at := r.count + 1
	for id, k := range r.byID {
		if k.updated < at {
			oldest, at = id, k.updated
		}
	}
	delete(r.byID, oldest)
}

// Reset is a reset of the terminal (RIS): every record goes.
func (r *Records) Reset() bool {
	return r.remove(func(string) bool { return true })
}

// Ended is the end of the program, or a shell's prompt (OSC 133;A): nothing
// works or waits any more. What it finished with stays.
func (r *Records) Ended() bool {
	return r.remove(func(id string) bool {
		s := r.byID[id].State
		return s == "working" || s == "blocked"
	})
}

func (r *Records) remove(gone func(id string) bool) bool {
	before := len(r.byID)
	for id := range r.byID {
		if gone(id) {
			delete(r.byID, id)
		}
	}
	return len(r.byID) != before
}

// Root returns the program's own record.
func (r *Records) Root() (Record, bool) {
	k, ok := r.byID[""]
	if !ok {
		return Record{Progress: -1}, false
	}
	return k.Record, true
}

// Children returns the records below the root, the newest last.
func (r *Records) Children() []Record {
	var ks []*kept
	for id, k := range r.byID {
		if id != "" {
			ks = append(ks, k)
		}
	}
	slices.SortFunc(ks, func(a, b *kept) int { return cmp.Compare(a.updated, b.updated) })
	out := make([]Record, len(ks))
	for i, k := range ks {
		out[i] = k.Record
	}
	return out
}

// Background reports whether a child works or waits.
func (r *Records) Background() bool {
	for id, k := range r.byID {
		if id != "" && (k.State == "working" || k.State == "blocked") {
			return true
		}
	}
	return false
}

// Len returns how many records are kept.
func (r *Records) Len() int { return len(r.byID) }

// Verdict is what a root record says about the agent that sent it. Its rule is
// "osc7501"; a cleared record is no opinion.
func (rec Record) Verdict() lifecycle.Verdict {
	v := lifecycle.Verdict{Rule: "osc7501", Matched: rec.Message, Request: rec.Message}
	switch rec.State {
	case "idle":
		v.State = lifecycle.Idle
	case "working":
		v.State = lifecycle.Working
	case "done":
		v.State = lifecycle.Done
	case "error":
		v.State, v.Reason = lifecycle.Blocked, "tool_error"
	case "blocked":
		v.State, v.Reason = lifecycle.NeedsInput, blockedReason(rec.Kind)
	default:
		return lifecycle.Verdict{}
	}
	return v
}

func blockedReason(kind string) string {
	switch kind {
	case "permission":
		return "approval"
	case "question":
		return "question"
	case "auth":
		return "authentication"
	}
	return "unknown"
}
