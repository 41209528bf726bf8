package server

import (
	"context"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"deck/hooks"
	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// reportRoute is where programs say what an agent does.
const reportRoute = "POST /v1/agent-reports"

// reports takes POST /v1/agent-reports. It knows a pane by its token and by
// nothing else: not by the user, who may look like another one from inside of a
// container, and not by ancestry, which a person's own shell in the pane has as
// well. Its answers carry codes and never a word of what was sent.
//
// A hook leaves when its time is up. What it has sent by then counts.
func (s *server) reports(w http.ResponseWriter, r *http.Request) {
	r = r.WithContext(context.WithoutCancel(r.Context()))
	pane, ok := s.ids.ofToken(r.Header.Get(wire.TokenHeader))
	if !ok {
		answerCode(w, lifecycle.InvalidToken)
		return
	}
	report, err := readReport(w, r)
	if err == nil && outside(r, report) {
		answer(w, http.StatusOK, wire.Reported{Dropped: wire.DropOutsider})
		return
	}
	if err == nil {
		var drop lifecycle.Drop
		if drop, err = s.loop.report(r, pane, report); err == nil && drop != "" {
			answer(w, http.StatusOK, wire.Reported{Dropped: drop})
			return
		}
	}
	var code lifecycle.CodeError
	switch {
	case errors.As(err, &code):
		answerCode(w, code)
	case err != nil:
		answer(w, http.StatusServiceUnavailable, codeBody{wire.CodeStopping})
	default:
		answer(w, http.StatusOK, struct {
			OK bool `json:"ok"`
		}{true})
	}
}

// codeBody is the whole answer to a report that is refused.
type codeBody struct {
	Error string `json:"error"`
}

func answerCode(w http.ResponseWriter, c lifecycle.CodeError) {
	answer(w, c.HTTPStatus(), codeBody{string(c)})
}

// readReport reads and checks a body, no more of it than a report may have.
func readReport(w http.ResponseWriter, r *http.Request) (lifecycle.Report, error) {
	conn := http.NewResponseController(w)
	_ = conn.SetReadDeadline(time.Now().Add(bodyTime))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, lifecycle.MaxReport))
	var tooBig *http.MaxBytesError
	switch {
	case errors.As(err, &tooBig):
		return lifecycle.Report{}, lifecycle.BodyTooLarge
	case err != nil:
		return lifecycle.Report{}, lifecycle.InvalidJSON
	}
	_ = conn.SetReadDeadline(time.Time{})
	return lifecycle.DecodeReport(body)
}

// report applies a report to the agent of a pane. An agent may report before
// anybody has seen that it is there; then its pane is looked at first.
func (l *loop) report(r *http.Request, id layout.PaneID, report lifecycle.Report) (lifecycle.Drop, error) {
	apply := func() (lifecycle.Drop, error) { return l.applyReport(id, report) }
	drop, err := call(r.Context(), l, apply)
	var code lifecycle.CodeError
	if !errors.As(err, &code) || code != lifecycle.NoAgentRunning && code != lifecycle.AgentMismatch {
		return drop, err
	}
	s, ok := (*l.index.Load())[id]
	if !ok {
		return drop, err
	}
	s.looked.ask()
	return call(r.Context(), l, apply)
}

// applyReport runs in the loop.
func (l *loop) applyReport(id layout.PaneID, report lifecycle.Report) (lifecycle.Drop, error) {
	p := l.panes[id]
	if p == nil || p.term == nil {
		return "", lifecycle.InvalidToken
	}
	name := ""
	if st := p.status(); !st.Exited {
		name = st.Agent
	}
	if err := report.Check(string(id), name, p.executables(name)...); err != nil {
		return "", err
	}
	e, drop := p.agent.life.Reported(report, time.Now())
	l.follow(p, e)
	return drop, nil
}

// executables are the names besides its own under which a pane's agent goes. An
// interpreter or a shell that runs it is none of them.
func (p *pane) executables(agent string) []string {
	candidates := []string{p.found.program}
	if len(p.command) > 0 {
		candidates = append(candidates, filepath.Base(p.command[0]))
	}
	return slices.DeleteFunc(candidates, func(name string) bool { return name == "" || hooks.Recognize(name, nil) != agent })
}
