package lifecycle

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a report, in characters unless said otherwise.
const (
	maxName        = 40  // of an agent
	maxSession     = 200 // of a native session's id, and of a helper's
	maxMeta        = 120 // of each text of the metadata, and of a token's value
	maxTokens      = 8
	maxResume      = 16   // arguments
	maxResumeBytes = 1024 // of all arguments together
)

var (
	sourceForm = regexp.MustCompile(`^(integration|custom|native|manifest):[a-z0-9_.-]{1,40}$`)
	tokenForm  = regexp.MustCompile(`^[a-z][a-z0-9_.-]{0,31}$`)
)

// dialogs are the reasons of NeedsInput, waits those of Blocked that a report
// may give.
var (
	dialogs = map[string]bool{Approval: true, Question: true, Authentication: true}
	waits   = map[string]bool{Handoff: true, Limit: true, Authentication: true, ToolError: true, ExternalWait: true}
)

// Validate returns the first rule that the report breaks, as a CodeError.
func (r Report) Validate() error {
	switch {
	case !sourceForm.MatchString(r.Source):
		return InvalidSource
	case r.Agent == "" || utf8.RuneCountInString(r.Agent) > maxName:
		return AgentMismatch
	case !r.validState():
		return InvalidState
	case !r.validReason():
		return InvalidReason
	case r.TTLMillis < 0:
		return InvalidTTL
	case r.Seq < 0:
		return InvalidSequence
	case longer(r.Detail, MaxDetail), longer(r.Tool, MaxDetail), longer(r.Request, MaxRequest):
		return InvalidDetail
	case longer(r.Helper, maxSession), controls(r.Helper):
		return InvalidHelper
	case longer(r.Session, maxSession), controls(r.Session):
		return InvalidSession
	}
	if code := r.Meta.check(); code != "" {
		return code
	}
	if code := r.checkResume(); code != "" {
		return code
	}
	return nil
}

// Check compares a valid report with what is known of the pane its token
// belongs to: the pane's id, the detected agent's name, and the names its
// executable may have besides that. The error is a CodeError.
func (r Report) Check(pane, agent string, executables ...string) error {
	switch {
	case r.PaneID != "" && r.PaneID != pane:
		return SessionMismatch
	case agent == "":
		return NoAgentRunning
	case r.Agent != agent:
		return AgentMismatch
	case len(r.Resume) > 0 && r.Resume[0] != agent && !slices.Contains(executables, r.Resume[0]):
		return ResumeMismatch
	}
	return nil
}

// validState refuses death, which only the process can prove.
func (r Report) validState() bool {
	switch r.State {
	case "", Unknown, Working, NeedsInput, Idle, Blocked, Done:
		return true
	}
	return false
}

// validReason refuses a gate: a report cannot make one.
func (r Report) validReason() bool {
	switch {
	case r.Reason == "":
		return true
	case r.State == NeedsInput:
		return r.Reason == Unexplained || dialogs[r.Reason]
	case r.State == Blocked:
		return r.Reason == Unexplained || waits[r.Reason]
	}
	return false
}

func (m *Meta) check() CodeError {
	if m == nil {
		return ""
	}
	if longer(m.Title, maxMeta) || longer(m.DisplayAgent, maxMeta) || longer(m.StateLabel, maxMeta) {
		return InvalidMetadata
	}
	if len(m.Tokens) > maxTokens {
		return InvalidTokens
	}
	for key, v := range m.Tokens {
		if !tokenForm.MatchString(key) || longer(v, maxMeta) {
			return InvalidTokens
		}
	}
	return ""
}

// checkResume takes only what a later start can run as it is: the bare name of
// a program and arguments, said by the agent's own hooks about its own session.
func (r Report) checkResume() CodeError {
	if r.Resume == nil {
		return ""
	}
	size := 0
	for _, a := range r.Resume {
		if controls(a) {
			return InvalidResume
		}
		size += len(a)
	}
	switch {
	case !strings.HasPrefix(r.Source, "integration:"):
		return ResumeNotAllowed
	case r.Session == "", len(r.Resume) == 0, len(r.Resume) > maxResume, size > maxResumeBytes:
		return InvalidResume
	case r.Resume[0] == "", strings.ContainsAny(r.Resume[0], `/\ `), r.Resume[0][0] == '-':
		return InvalidResume
	}
	return ""
}

func longer(s string, limit int) bool { return utf8.RuneCountInString(s) > limit }

func controls(s string) bool { return strings.ContainsFunc(s, unicode.IsControl) }
