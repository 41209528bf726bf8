package wire

import (
	"net/http"

	"deck/lifecycle"
)

// codeStatus has every code of an error and the HTTP status it is answered
// with, in the order they are documented; those of reports come after it.
var codeStatus = []struct {
	code   string
	status int
}{
	{CodeBadRequest, http.StatusBadRequest},
	{CodeForbidden, http.StatusForbidden},
	{CodeNotHuman, http.StatusForbidden},
	{CodeForeign, http.StatusForbidden},
	{CodeNoNesting, http.StatusForbidden},
	{CodeNotTrusted, http.StatusForbidden},
	{CodeNoRoute, http.StatusNotFound},
	{CodePaneNotFound, http.StatusNotFound},
	{CodeTabNotFound, http.StatusNotFound},
	{CodeSessionNotFound, http.StatusNotFound},
	{CodeClientNotFound, http.StatusNotFound},
	{CodeNoGate, http.StatusNotFound},
	{CodeNoRequest, http.StatusNotFound},
	{CodeNoSession, http.StatusNotFound},
	{CodeNoDefinition, http.StatusNotFound},
	{CodeNoWorktree, http.StatusNotFound},
	{CodeNoteNotFound, http.StatusNotFound},
	{CodeProjectNotFound, http.StatusNotFound},
	{CodeAmbiguous, http.StatusConflict},
	{CodeDuplicate, http.StatusConflict},
	{CodePaneEnded, http.StatusConflict},
	{CodeStillRunning, http.StatusConflict},
	{CodeCrashLoop, http.StatusConflict},
	{CodeRequestChanged, http.StatusConflict},
	{CodeNotTaken, http.StatusConflict},
	{CodeMessageNotFound, http.StatusNotFound},
	{CodeNoHandle, http.StatusNotFound},
	{CodeHandoffNotFound, http.StatusNotFound},
	{CodeHandoffOver, http.StatusConflict},
	{CodeHandoffOpen, http.StatusConflict},
	{CodeAmbiguous, http.StatusConflict},
	{CodeDuplicate, http.StatusConflict},
	{CodePaneEnded, http.StatusConflict},
	{CodeInboxFull, http.StatusConflict},
	{CodeHasWork, http.StatusConflict},
	{CodeInUse, http.StatusConflict},
	{CodeClosed, http.StatusConflict},
	{CodeUnresolved, http.StatusConflict},
	{CodeAgentGone, http.StatusConflict},
	{CodeTooMany, http.StatusConflict},
	{CodeInvalid, http.StatusUnprocessableEntity},
	{CodeNotStarted, http.StatusUnprocessableEntity},
	{CodeNotReady, http.StatusUnprocessableEntity},
	{CodeAgentNotFound, http.StatusUnprocessableEntity},
	{CodeBadDefinition, http.StatusUnprocessableEntity},
	{CodeNoRepository, http.StatusUnprocessableEntity},
	{CodeGit, http.StatusUnprocessableEntity},
	{CodeNoSpace, http.StatusUnprocessableEntity},
	{CodeInternal, http.StatusInternalServerError},
	{CodeContextUnavailable, http.StatusServiceUnavailable},
	{CodeStopping, http.StatusServiceUnavailable},
}

// Codes returns every code of an error, those of reports last.
func Codes() []string {
	var codes []string
	for _, c := range codeStatus {
		codes = append(codes, c.code)
	}
	for _, c := range lifecycle.Codes() {
		codes = append(codes, string(c))
	}
	return codes
}

// HTTPStatus returns the status that a code is answered with; one that is not
// known is a fault of deck's.
func HTTPStatus(code string) int {
	for _, c := range codeStatus {
		if c.code == code {
			return c.status
		}
	}
	for _, c := range lifecycle.Codes() {
		if string(c) == code {
			return c.HTTPStatus()
		}
	}
	return http.StatusInternalServerError
}
