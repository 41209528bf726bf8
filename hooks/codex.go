package hooks

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"deck/lifecycle"
)

// codex is OpenAI's Codex. It tells in-band (OSC 7501) what its hooks do not:
// an answer, an error of the service.
func codex() Agent {
	return Agent{
		Name: "codex", Title: "Codex", Command: "codex",
		Models:   map[string]string{"small": "gpt-5.4-mini", "medium": "gpt-5.5", "large": "gpt-5.5"},
		Home:     Home{Env: "CODEX_HOME", Folder: ".codex", Instructions: "AGENTS.md", Skills: "skills"},
		Composer: Composer{Pause: enterPause},
		Events: []string{
			"SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "Interrupt", "Stop",
			"SubagentStart", "SubagentStop", "SessionEnd",
		},
		start:     startCodex,
		resume:    func(session string) []string { return []string{"resume", session} },
		exists:    fileExists("sessions/*/*/*/rollout-*-SESSION.jsonl*"),
		translate: translateCodex,
		usage:     codexUsage,
		context:   hookContext,
		shared: func(argv []string) bool {
			return slices.Contains(argv, "app-server") && slices.Contains(argv, "--managed-daemon")
		},
	}
}

var codexOptions = options{
	session: "--last",
	valued:  "-c --config -m --model -p --profile -s --sandbox -a --ask-for-approval -C --cd --add-dir -i --image --enable --disable",
}

// startCodex gives hooks as overrides of the configuration. A person is asked
// once whether they trust them, so the command line is always the same. The
// shared daemon is left out: it would run hooks with the environment of the pane
// that started it.
func startCodex(l Launch) Plan {
	var p Plan
	if l.Reporter != "" {
		for _, e := range codex().Events {
			p.Argv = append(p.Argv, "-c", codexOverride(e, reporterCommand(l.Reporter, "codex")))
		}
		if !has(l.Args, "--no-daemon") {
			p.Argv = append(p.Argv, "--no-daemon") // which is refused twice
		}
		p.Env = []string{injected("codex")}
	}
	p.Argv = append(p.Argv, option("--model", l.Model)...)
	if l.Session != "" {
		flags := codexOptions.flagsOf(l.Args)
		p.Argv = append(append(append(p.Argv, flags...), "resume", l.Session), word(l.Kickoff)...)
		return p
	}
	p.Argv = append(append(p.Argv, l.Args...), word(l.Kickoff)...)
	return p
}

// codexOverride is the hook of one event, as a value of TOML.
func codexOverride(event, command string) string {
	return fmt.Sprintf("hooks.%s=[{hooks=[{type=\"command\",command=%s,timeout=%d}]}]", event, tomlString(command), codexTimeout(event))
}

// codexTimeout is how long a hook may take, in seconds. Every step waits for
// its hooks.
func codexTimeout(event string) int {
	switch event {
	case "PermissionRequest":
		return int(codexWait/time.Second) + 5
	case "SessionEnd", "Interrupt":
		return 3
	}
	return 5
}

// codexWait is how long a person may take to answer a request from deck; Codex
// draws its own dialog only after that.
const codexWait = 45 * time.Second

// tomlString is a basic string of TOML.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func translateCodex(event string, p payload) Outcome {
	session, helper := p.text("session_id"), p.text("agent_id")
	tool, input := p.text("tool_name"), p.in("tool_input")
	say := func(s lifecycle.State) lifecycle.Report { return p.report(session, helper, s) }
	switch event {
	case "SessionStart":
		return begun(p, say("")) // comes with the first prompt
	case "UserPromptSubmit":
		return prompted(p, say(lifecycle.Working))
	case "PreToolUse":
		if tool != "request_user_input" {
			return one(at(say(lifecycle.Working), tool))
		}
		o := one(needs(say(""), lifecycle.Question, input.summary(tool), tool))
		o.Ask = input.ask(tool)
		return o
	case "PermissionRequest":
		o := one(needs(say(""), lifecycle.Approval, input.summary(tool), tool))
		o.Ask, o.Reply, o.Wait, o.Blocks = input.ask(tool), replyDecision, codexWait, true
		return o
	case "PostToolUse":
		o := one(say(lifecycle.Working))
		o.Edits = input.paths()
		if helper == "" {
			o.Tell = addsContext(event)
		}
		return o
	case "Interrupt":
		o := one(say(lifecycle.Idle))
		o.Ended = helper == ""
		return o
	case "Stop":
		o := one(say(lifecycle.Done))
		o.Ended, o.Response, o.Transcript = true, p.text("last_assistant_message"), p.text("transcript_path")
		return tells(o, p)
	case "SubagentStart":
		if helper == "" {
			return Outcome{}
		}
		return one(saying(say(lifecycle.Working), p.text("agent_type")))
	case "SubagentStop":
		if helper == "" {
			return Outcome{}
		}
		return one(say(lifecycle.Unknown))
	case "SessionEnd":
		return ended(p, say(lifecycle.Unknown), "clear", "resume")
	}
	return Outcome{}
}
