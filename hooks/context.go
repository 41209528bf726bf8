package hooks

// ContextEnv is the variable that tells a reporter to begin a session with what the
// project remembers.
const ContextEnv = "DECK_CONTEXT"

// TakesContext reports whether what the hook of a session's start prints becomes a
// part of the session.
func (a Agent) TakesContext() bool { return a.context != nil }

// StartContext is what that hook prints so that the session begins with a text: the
// text itself for an agent that has no form of its own.
func (a Agent) StartContext(text string) []byte {
	if a.context == nil {
		return []byte(text)
	}
	return a.context(text)
}

// hookContext is the form of Claude Code's hooks, and of those made after them.
func hookContext(text string) []byte { return addsContext("SessionStart")(text) }

// addsContext makes what a hook of an event prints so that the model reads a text
// with what it is given next.
func addsContext(event string) func(text string) []byte {
	return func(text string) []byte {
		return encode(map[string]any{"hookSpecificOutput": map[string]string{"hookEventName": event, "additionalContext": text}})
	}
}

// goesOn is what a hook prints at the end of a turn so that it goes on with a text.
func goesOn(text string) []byte {
	return encode(map[string]string{"decision": "block", "reason": text})
}

// tells completes what the end of a turn means with how it goes on. A turn that a
// hook has made go on before does not again: two that write to each other would
// never come to rest.
func tells(o Outcome, p payload) Outcome {
	if o.Ended && string(p.fields["stop_hook_active"]) != "true" {
		o.Tell = goesOn
	}
	return o
}

// bareContext is the form of Copilot's:
// https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference.
func bareContext(text string) []byte {
	return encode(map[string]string{"additionalContext": text})
}
