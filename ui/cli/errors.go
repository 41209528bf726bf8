package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"deck/term/wire"
)

// usageError is a command that deck does not understand. It exits with 2.
type usageError struct{ message, hint string }

func (e *usageError) Error() string { return e.message }

// hintedError is an error and what to do about it.
type hintedError struct {
	err  error
	hint string
}

func (e *hintedError) Error() string { return e.err.Error() }
func (e *hintedError) Unwrap() error { return e.err }

// exitError ends a verb that has said all it had to say.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// usagef returns a usageError without a hint.
func usagef(format string, args ...any) error {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

// report prints an error, with at most one hint, and returns the exit status.
func report(w io.Writer, err error) int {
	var exit exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return int(exit)
	}
	for line := range strings.Lines(err.Error()) {
		fmt.Fprintf(w, "deck: %s\n", oneLine(line))
	}
	if h := hintOf(err); h != "" {
		fmt.Fprintf(w, "deck: hint: %s\n", oneLine(h))
	}
	var usage *usageError
	if errors.As(err, &usage) {
		return 2
	}
	return 1
}

// hintOf finds the hint of an error, wherever it comes from.
func hintOf(err error) string {
	var (
		usage  *usageError
		hinted *hintedError
		answer *wire.Error
	)
	switch {
	case errors.As(err, &usage):
		return usage.hint
	case errors.As(err, &hinted):
		return hinted.hint
	case errors.As(err, &answer):
		return answer.Hint
	}
	return ""
}

// oneLine cleans a sentence that may quote what came from outside.
func oneLine(s string) string {
	return clean(strings.Join(strings.Fields(s), " "))
}
