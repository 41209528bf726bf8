package wire

// Error is how a verb says no: a stable code, a sentence, and sometimes what
// to do about it.
type Error struct {
	Code    string `json:"error"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// Error returns the sentence.
func (e *Error) Error() string { return e.Message }

// The codes of errors. They are stable; new ones may be added.
const (
	CodeBadRequest      = "bad_request"       // 400: not JSON, an unknown field, a wrong type
	CodeForbidden       = "forbidden"         // 403: not this user, or not this pane's to do
	CodeNoRoute         = "no_such_route"     // 404
	CodePaneNotFound    = "pane_not_found"    // 404
	CodeTabNotFound     = "tab_not_found"     // 404
	CodeSessionNotFound = "session_not_found" // 404
	CodeClientNotFound  = "client_not_found"  // 404
	CodeAmbiguous       = "ambiguous_target"  // 409: the message lists the candidates
	CodeDuplicate       = "duplicate_name"    // 409
	CodePaneEnded       = "pane_ended"        // 409: its program has exited
	CodeTooBig          = "body_too_large"    // 413
	CodeInvalid         = "invalid_argument"  // 422: understood, and not possible
	CodeNotStarted      = "command_not_found" // 422: the program of a new pane could not be run
	CodeNoSpace         = "no_space"          // 422: no room for another pane there
	CodeInternal        = "internal"          // 500: a fault of deck's
	CodeStopping        = "server_stopping"   // 503
)
