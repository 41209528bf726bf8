package wire

import "fmt"

// Check returns an error where a server and this build do not understand each
// other, with what a person can do about it.
func (h Hello) Check() error {
	e := &Error{Code: CodeInvalid}
	switch {
	case h.MinProtocol > Protocol:
		e.Message = fmt.Sprintf("this deck (version %s) is too old for the running server (version %s)", Version, h.Version)
		e.Hint = "use the deck that the server was started with"
	case h.Protocol < MinProtocol:
		e.Message = fmt.Sprintf("the running server (version %s) is too old for this deck (version %s)", h.Version, Version)
		e.Hint = `use the deck it was started with, or end it and everything in its panes: "deck server stop"`
	default:
		return nil
	}
	return e
}
