package hooks

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"deck/lifecycle"
)

// one is the outcome of an event that a single report says.
func one(r lifecycle.Report) Outcome { return Outcome{Reports: []lifecycle.Report{r}} }

// begun is the outcome of a session that began.
func begun(p payload, r lifecycle.Report) Outcome {
	o := one(resumable(p, r))
	o.Started, o.Transcript = true, p.text("transcript_path")
	return o
}

// prompted is the outcome of a prompt that was submitted. A session's first is
// where a reporter that came late hears of it.
func prompted(p payload, r lifecycle.Report) Outcome {
	o := one(resumable(p, r))
	o.Prompt = r.Helper == ""
	return o
}

// resumable makes a report carry what goes on with its session.
func resumable(p payload, r lifecycle.Report) lifecycle.Report {
	if r.Helper == "" {
		r.Resume = p.agent.ResumeArgv(r.Session)
	}
	return r
}

// ended is the outcome of a session that ended, nothing where another one
// follows it for one of the reasons.
func ended(p payload, r lifecycle.Report, follows ...string) Outcome {
	if slices.Contains(follows, p.text("reason")) {
		return Outcome{}
	}
	return one(r)
}

// turnFailed is the end of a turn that the model's service has refused, by the
// class of the error.
func turnFailed(p payload, r lifecycle.Report) Outcome {
	said := cmp.Or(p.text("last_assistant_message"), p.text("error_details"), p.text("error"))
	switch p.text("error") {
	case "authentication_failed", "oauth_org_not_allowed":
		r = needs(r, lifecycle.Authentication, said, "")
	case "rate_limit", "billing_error":
		r.State, r.Reason = lifecycle.Blocked, lifecycle.Limit
	default:
		r.State, r.Reason = lifecycle.Blocked, lifecycle.ToolError
	}
	o := one(saying(r, said))
	o.Ended, o.Transcript = true, p.text("transcript_path")
	return o
}

// replyDecision prints an answer as hooks of PermissionRequest do.
func replyDecision(a Answer) []byte {
	decision := map[string]string{"behavior": "allow"}
	if !a.Allow {
		decision = map[string]string{"behavior": "deny", "message": cmp.Or(a.Message, "the person said no")}
	}
	return encode(map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": "PermissionRequest", "decision": decision}})
}

// encode is JSON with a line end. What it is given always is.
func encode(v any) []byte {
	b, _ := json.Marshal(v)
	return append(b, '\n')
}

// reporterCommand is the shell command of a hook that a start brings along.
func reporterCommand(reporter, agent string) string {
	return shellQuote(reporter) + " hook " + agent
}

// injected tells installed hooks that this start brings its own.
func injected(agent string) string { return InjectedEnv + "=" + agent }

// fileExists looks for a session's file by a pattern below the agent's folder.
func fileExists(pattern string) func(home, dir, session string) (exists, known bool) {
	return func(home, _, session string) (exists, known bool) {
		found, err := filepath.Glob(filepath.Join(globEscape(home), strings.ReplaceAll(pattern, "SESSION", session)))
		return len(found) > 0, err == nil
	}
}

// globEscape keeps a folder's name from being a pattern.
func globEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// Reporter is the program that hooks call: the small one beside deck's own
// program where there is one, else that itself. Both serve "hook AGENT [EVENT]".
func Reporter(deck string, executable func(file string) bool) string {
	if small := filepath.Join(filepath.Dir(deck), "deck-hook"); executable(small) {
		return small
	}
	return deck
}
