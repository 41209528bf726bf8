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
func hookContext(text string) []byte {
	return encode(map[string]any{"hookSpecificOutput": map[string]string{"hookEventName": "SessionStart", "additionalContext": text}})
}

// bareContext is the form of Copilot's:
// https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference.
func bareContext(text string) []byte {
	return encode(map[string]string{"additionalContext": text})
}
