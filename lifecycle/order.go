package lifecycle

import "time"

// comeback is how long a session that was left stays left: reports of it that
// were on their way are late, what comes after is a person who went back.
const comeback = 5 * time.Second

// Bounds of what order is kept for.
const (
	maxThreads = 32
	maxMarks   = 64 // per thread
)

// thread is the course of one source's reports: the native session it is in,
// and the highest sequence of each session and helper.
type thread struct {
	source  string
	session string
	since   time.Time
	ended   bool // its last word was taken back
	marks   []mark
}

type mark struct {
	session string
	helper  string
	seq     int64
}

// admit says whether a report is in order, and notes it if so. A session not
// met before takes over, whatever its numbers; a report without a session is of
// the current one.
func (a *Agent) admit(r Report, now time.Time) Drop {
	t := a.thread(r.Source, now)
	session := r.Session
	if session == "" {
		session = t.session
	}
	m := t.mark(session, r.Helper)
	known := m != nil || t.met(session)
	if session != t.session && known && !t.ended && now.Sub(t.since) < comeback {
		return DropSession
	}
	if m != nil && r.Seq > 0 && r.Seq < m.seq {
		return DropSequence
	}
	if session != t.session {
		if t.session != "" {
			a.drop(func(c *claim) bool { return c.from == fromReport && c.source == r.Source })
		}
		t.session, t.since = session, now
	}
	if r.Helper == "" {
		t.ended = r.State == Unknown
	}
	t.note(m, mark{session, r.Helper, r.Seq})
	return ""
}

// thread returns the one of a source, made if there is none. The one that
// changed its session longest ago gives way when there are too many, with all
// it said.
func (a *Agent) thread(source string, now time.Time) *thread {
	oldest := 0
	for i := range a.threads {
		if a.threads[i].source == source {
			return &a.threads[i]
		}
		if a.threads[i].since.Before(a.threads[oldest].since) {
			oldest = i
		}
	}
	if len(a.threads) >= maxThreads {
		gone := a.threads[oldest].source
		a.drop(func(c *claim) bool { return c.from == fromReport && c.source == gone })
		a.threads = append(a.threads[:oldest], a.threads[oldest+1:]...)
	}
	a.threads = append(a.threads, thread{source: source, since: now})
	return &a.threads[len(a.threads)-1]
}

func (t *thread) mark(session, helper string) *mark {
	for i := range t.marks {
		if t.marks[i].session == session && t.marks[i].helper == helper {
			return &t.marks[i]
		}
	}
	return nil
}

// met reports whether anything of a session was admitted.
func (t *thread) met(session string) bool {
	for i := range t.marks {
		if t.marks[i].session == session {
			return true
		}
	}
	return false
}

// note keeps the sequence of a report in old, its mark so far, if there is one.
// A report without one leaves the order as it is.
func (t *thread) note(old *mark, m mark) {
	if old != nil {
		old.seq = max(old.seq, m.seq)
		return
	}
	if len(t.marks) >= maxMarks {
		t.marks = t.marks[1:]
	}
	t.marks = append(t.marks, m)
}
