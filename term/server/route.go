package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"deck/term/wire"
)

const (
	// maxBody is the most bytes of a request's body.
	maxBody = 1 << 20
	// bodyTime is how long a request's body may take to come.
	bodyTime = 10 * time.Second
)

// codeNoRoute is the code of a request for something that deck does not have.
const codeNoRoute = "no_such_route"

// none is the request of a verb that takes nothing.
type none struct{}

// verb is one thing the server does when asked.
type verb[Req, Resp any] func(context.Context, caller, Req) (Resp, error)

// route makes a verb a handler: the caller is known, the request strictly
// decoded, an error answered with its code, and a panic costs this one request.
func route[Req, Resp any](log *slog.Logger, v verb[Req, Resp]) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req Req
		if err := decode(w, r, &req); err != nil {
			answerError(w, err)
			return
		}
		resp, err := guarded(log, r, v, req)
		if err != nil {
			answerError(w, err)
			return
		}
		answer(w, http.StatusOK, resp)
	})
}

// guarded runs a verb and turns a panic into an error.
func guarded[Req, Resp any](log *slog.Logger, r *http.Request, v verb[Req, Resp], req Req) (resp Resp, err error) {
	defer func() {
		if p := recover(); p != nil {
			logPanic(log, "verb failed", p, "route", r.Pattern)
			err = &wire.Error{Code: wire.CodeInternal, Message: "a fault in deck; its log tells where"}
		}
	}()
	return v(r.Context(), callerOf(r), req)
}

// logPanic writes where a panic came from. Its value is left out where it is
// not the runtime's, since it may hold what a person typed.
func logPanic(log *slog.Logger, what string, p any, args ...any) {
	if err, ok := p.(runtime.Error); ok {
		args = append(args, "err", err)
	}
	log.Error("panic", append(args, "in", what, "stack", string(debug.Stack()))...)
}

// decode reads the request from the body of a POST, or from the query of a GET.
func decode(w http.ResponseWriter, r *http.Request, req any) error {
	if r.Method == http.MethodGet {
		return decodeQuery(r.URL.Query(), req)
	}
	conn := http.NewResponseController(w)
	_ = conn.SetReadDeadline(time.Now().Add(bodyTime))
	err := strict(http.MaxBytesReader(w, r.Body, maxBody), req)
	var tooBig *http.MaxBytesError
	switch {
	case err == nil:
		// A verb may take longer than its request did.
		_ = conn.SetReadDeadline(time.Time{})
		return nil
	case errors.As(err, &tooBig):
		return &wire.Error{Code: wire.CodeTooBig, Message: "the request is too long"}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &wire.Error{Code: wire.CodeBadRequest, Message: "the request did not come to its end"}
	case errors.Is(err, io.EOF):
		return &wire.Error{Code: wire.CodeBadRequest, Message: "the request has no body", Hint: "send a JSON object, {} at least"}
	}
	return &wire.Error{Code: wire.CodeBadRequest, Message: "not a request: " + err.Error()}
}

// strict decodes one JSON value and nothing after it; a field that req does not
// have is an error.
func strict(r io.Reader, req any) error {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(req); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is something after the JSON value")
	}
	return nil
}

// decodeQuery reads a query by the JSON names of the request's text fields.
func decodeQuery(q url.Values, req any) error {
	fields := make(map[string]string, len(q))
	for k := range q {
		fields[k] = q.Get(k)
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	if err := strict(bytes.NewReader(text), req); err != nil {
		return &wire.Error{Code: wire.CodeBadRequest, Message: "not a request: " + err.Error()}
	}
	return nil
}

// answer writes v as JSON.
func answer(w http.ResponseWriter, status int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		answerError(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n'))
}

// answerError writes an error. One without a code is a fault of deck's.
func answerError(w http.ResponseWriter, err error) {
	e := asWireError(err)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(statusOf(e.Code))
	_ = json.NewEncoder(w).Encode(e)
}

func asWireError(err error) *wire.Error {
	var e *wire.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &wire.Error{Code: wire.CodeStopping, Message: "the server is stopping"}
	}
	return &wire.Error{Code: wire.CodeInternal, Message: err.Error()}
}

// statusOf is the HTTP status of an error's code.
func statusOf(code string) int { return wire.HTTPStatus(code) }
