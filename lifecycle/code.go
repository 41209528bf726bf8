package lifecycle

// CodeError is the stable code of a report that is refused, as the answer's
// body carries it.
type CodeError string

// The codes.
const (
	InvalidToken     CodeError = "invalid_report_token"
	SessionMismatch  CodeError = "session_mismatch"
	NoAgentRunning   CodeError = "no_agent_running"
	AgentMismatch    CodeError = "agent_mismatch"
	InvalidSource    CodeError = "invalid_source"
	InvalidState     CodeError = "invalid_state"
	InvalidReason    CodeError = "invalid_blocked_reason"
	InvalidTTL       CodeError = "invalid_ttl"
	InvalidMetadata  CodeError = "invalid_metadata"
	InvalidTokens    CodeError = "invalid_tokens"
	InvalidDetail    CodeError = "invalid_detail"
	InvalidSession   CodeError = "invalid_agent_session_id"
	InvalidResume    CodeError = "invalid_resume_argv"
	ResumeMismatch   CodeError = "resume_agent_mismatch"
	ResumeNotAllowed CodeError = "resume_not_allowed"
	BodyTooLarge     CodeError = "body_too_large"
	InvalidJSON      CodeError = "invalid_json"
	UnknownField     CodeError = "unknown_field"
	InvalidSequence  CodeError = "invalid_seq"
	InvalidHelper    CodeError = "invalid_helper_id"
)

// httpStatus has the codes that are not 422.
var httpStatus = map[CodeError]int{
	InvalidToken: 403, SessionMismatch: 403, NoAgentRunning: 409, BodyTooLarge: 413, InvalidJSON: 400,
}

// Error is the code itself.
func (c CodeError) Error() string { return string(c) }

// HTTPStatus is the status that a refusal is answered with.
func (c CodeError) HTTPStatus() int {
	if s := httpStatus[c]; s != 0 {
		return s
	}
	return 422
}

// Codes returns every code, in the order they are documented.
func Codes() []CodeError {
	return []CodeError{InvalidToken, SessionMismatch, NoAgentRunning, AgentMismatch, InvalidSource, InvalidState,
		InvalidReason, InvalidTTL, InvalidMetadata, InvalidTokens, InvalidDetail, InvalidSession, InvalidResume,
		ResumeMismatch, ResumeNotAllowed, BodyTooLarge, InvalidJSON, UnknownField, InvalidSequence, InvalidHelper}
}

// Drop says why a valid report was not applied; empty if it was.
type Drop string

// The reasons for a drop.
const (
	DropSequence    Drop = "stale_sequence" // a newer one of the same source and session was applied
	DropSession     Drop = "old_session"    // the agent went on to another session
	DropUnconfirmed Drop = "unconfirmed"    // it only confirms a dialog, and there is none
	DropNoAgent     Drop = "no_agent_running"
)
