package hooks

import (
	"path/filepath"
	"strings"
	"time"

	"deck/lifecycle"
)

// claude is Claude Code. Its hooks are described at
// https://code.claude.com/docs/en/hooks; what they do not tell, that a request
// was answered or a turn interrupted, it says in-band (OSC 7501).
func claude() Agent {
	return Agent{
		Name: "claude", Title: "Claude Code", Command: "claude", Programs: []string{"claude-code"},
		Models:   map[string]string{"small": "haiku", "medium": "sonnet", "large": "opus"},
		Home:     Home{Env: "CLAUDE_CONFIG_DIR", Folder: ".claude", Instructions: "CLAUDE.md", Skills: "skills"},
		Composer: Composer{Pause: enterPause},
		// An event that an installed version does not know stops its start with a
		// dialog, so these are the ones of long standing.
		Events: []string{
			"SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure",
			"Notification", "Stop", "StopFailure", "SubagentStart", "SubagentStop", "SessionEnd",
		},
		system: "--append-system-prompt", tools: "--tools",
		start:     startClaude,
		resume:    func(session string) []string { return []string{"--resume", session} },
		exists:    fileExists("projects/*/SESSION.jsonl"),
		translate: translateClaude,
		context:   hookContext,
	}
}

var claudeOptions = options{
	session: "--resume -r --continue -c --session-id --fork-session --from-pr",
	valued: "--resume -r --session-id --from-pr --model --settings --permission-mode --append-system-prompt --system-prompt --mcp-config " +
		"--agent --agents --effort --fallback-model --setting-sources --plugin-dir --name -n --add-dir --allowedTools --disallowedTools",
}

// startClaude adds its hooks by a settings file of its own: those of a person's
// files run as well.
func startClaude(l Launch) Plan {
	var p Plan
	if l.Reporter != "" && l.Folder != "" && !has(l.Args, "--settings") {
		file := filepath.Join(l.Folder, "claude.json")
		p.Files = map[string][]byte{file: claudeSettings(l.Reporter)}
		p.Argv = option("--settings", file)
		p.Env = []string{injected("claude")}
	}
	p.Argv = append(p.Argv, option("--model", l.Model)...)
	switch {
	case l.Session != "":
		p.Argv = append(p.Argv, "--resume", l.Session)
		l.Args = claudeOptions.flagsOf(l.Args)
	case l.Fresh != "" && !claudeOptions.chooseSession(l.Args):
		p.Session = l.Fresh
		p.Argv = append(p.Argv, "--session-id", l.Fresh)
	}
	p.Argv = append(append(p.Argv, word(l.Kickoff)...), l.Args...)
	return p
}

// claudeEntry is the hook of one event in Claude Code's settings. It waits for
// none but those that begin and end a session, whose order counts, and those whose
// answer it reads; that of a request runs beside its dialog.
func claudeEntry(event, command string) map[string]any {
	h := map[string]any{"type": "command", "command": command, "timeout": 5}
	switch event {
	case "SessionStart", "SessionEnd":
	case "PermissionRequest":
		h["timeout"] = int(claudeWait/time.Second) + 5
	case "Stop", "PostToolUse", "PostToolUseFailure": // what waits for it comes with their answer
	default:
		h["async"] = true
	}
	return h
}

// claudeWait is how long a person may take to answer a request from deck.
const claudeWait = 10 * time.Minute

// claudeSettings is a settings file with nothing but hooks.
func claudeSettings(reporter string) []byte {
	hooks := map[string]any{}
	for _, e := range claude().Events {
		hooks[e] = []any{map[string]any{"matcher": "", "hooks": []any{claudeEntry(e, reporterCommand(reporter, "claude"))}}}
	}
	return encode(map[string]any{"hooks": hooks})
}

func translateClaude(event string, p payload) Outcome {
	session, helper := p.text("session_id"), p.text("agent_id")
	tool, input := p.text("tool_name"), p.in("tool_input")
	say := func(s lifecycle.State) lifecycle.Report { return p.report(session, helper, s) }
	switch event {
	case "SessionStart":
		if p.text("source") == "compact" {
			return Outcome{} // the same session, in the middle of a turn perhaps
		}
		return begun(p, say(lifecycle.Idle))
	case "UserPromptSubmit":
		// A task that ends in the background comes as a prompt, too.
		o := prompted(p, say(lifecycle.Working))
		o.Prompt = o.Prompt && !strings.HasPrefix(p.text("prompt"), "<task-notification>")
		return o
	case "PreToolUse":
		if tool == claudeQuestion {
			return claudeAsks(say(""), tool, input) // it is sure to ask
		}
		return one(at(say(lifecycle.Working), tool))
	case "PostToolUse", "PostToolUseFailure":
		o := one(say(lifecycle.Working))
		if helper == "" {
			o.Tell = addsContext(event)
		}
		if event == "PostToolUse" {
			o.Edits = append(input.paths(), p.in("tool_response").in("bashEditDiff").texts("changedFiles")...)
		}
		return o
	case "PermissionRequest":
		return claudeAsks(say(""), tool, input)
	case "Notification":
		return claudeNotes(p, say(""))
	case "Stop":
		return tells(claudeStops(p, say(lifecycle.Done)), p)
	case "StopFailure":
		return turnFailed(p, say(""))
	case "SubagentStart":
		if helper == "" {
			return Outcome{}
		}
		return one(saying(say(lifecycle.Working), p.text("agent_type")))
	case "SubagentStop":
		if p.text("agent_type") == "" || helper == "" {
			return Outcome{} // a part of itself, as when it compacts
		}
		return one(say(lifecycle.Unknown))
	case "SessionEnd":
		return ended(p, say(lifecycle.Unknown), "clear", "resume")
	}
	return Outcome{}
}

// claudeQuestion is the tool that asks the person.
const claudeQuestion = "AskUserQuestion"

// claudeAsks is a dialog that opens.
func claudeAsks(r lifecycle.Report, tool string, input payload) Outcome {
	o := Outcome{Ask: input.ask(tool)}
	switch tool {
	case claudeQuestion:
		o.Reports = []lifecycle.Report{needs(r, lifecycle.Question, input.summary(tool), tool)}
		return o
	case "ExitPlanMode":
		r = needs(r, lifecycle.Approval, "approve the plan", tool)
	default:
		r = needs(r, lifecycle.Approval, input.summary(tool), tool)
	}
	o.Reports = []lifecycle.Report{r}
	o.Reply, o.Wait = replyDecision, claudeWait
	return o
}

func claudeNotes(p payload, r lifecycle.Report) Outcome {
	switch p.text("notification_type") {
	case "permission_prompt":
		r = needs(r, lifecycle.Approval, "", "")
		r.Confirm = true
		return one(r)
	case "elicitation_dialog":
		return one(needs(r, lifecycle.Question, p.text("message"), ""))
	case "idle_prompt":
		r.State = lifecycle.Idle
		return one(r)
	}
	return Outcome{}
}

// claudeStops is the end of a turn, unless helpers go on: their end comes back
// as a prompt.
func claudeStops(p payload, r lifecycle.Report) Outcome {
	o := Outcome{Ended: true, Response: p.text("last_assistant_message"), Transcript: p.text("transcript_path")}
	for _, t := range p.list("background_tasks") {
		if t.text("status") != "running" {
			continue
		}
		r.Background = true
		if t.text("type") == "subagent" {
			r.State, o.Ended = lifecycle.Working, false
			r = saying(r, t.text("description"))
		}
	}
	o.Reports = []lifecycle.Report{r}
	return o
}
