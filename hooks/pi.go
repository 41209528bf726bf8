package hooks

import (
	_ "embed" // the extension
	"path/filepath"

	"deck/lifecycle"
)

// pi loads extensions, described in its package's docs/extensions.md. It has no
// dialogs of its own; those of extensions are told like any.
func pi() Agent {
	return Agent{
		Name: "pi", Title: "pi", Command: "pi",
		Home:     Home{Env: "PI_CODING_AGENT_DIR", Folder: ".pi/agent", Instructions: "AGENTS.md", Skills: "skills"},
		Composer: Composer{Pause: enterPause},
		Events: []string{
			"session_start", "before_agent_start", "agent_start", "tool_call", "tool_result", "ui_prompt_start", "ui_prompt_end",
			"agent_settled", "session_shutdown",
		},
		system: "--append-system-prompt", tools: "--tools",
		start:     startPi,
		resume:    func(session string) []string { return []string{"--session", session} },
		exists:    fileExists("sessions/*/*_SESSION.jsonl"),
		translate: translatePi,
	}
}

var piOptions = options{
	session: "--session --session-id --continue -c --resume -r --fork",
	valued: "--session --session-id --fork --model --provider --thinking --tools -e --extension --skill --system-prompt --append-system-prompt " +
		"--session-dir --api-key --mode --models",
}

//go:embed pi.ts
var piSource string

// piExtension is the extension that calls the reporter.
func piExtension(reporter string) []byte { return plugin(piSource, reporter) }

func startPi(l Launch) Plan {
	var p Plan
	if l.Reporter != "" && l.Folder != "" {
		file := filepath.Join(l.Folder, "pi.ts")
		p.Files = map[string][]byte{file: piExtension(l.Reporter)}
		p.Argv = option("--extension", file)
		p.Env = []string{injected("pi")}
	}
	p.Argv = append(p.Argv, option("--model", l.Model)...)
	if l.Session != "" {
		p.Argv = append(p.Argv, "--session", l.Session)
		l.Args = piOptions.flagsOf(l.Args)
	}
	p.Argv = append(append(p.Argv, l.Args...), word(l.Kickoff)...)
	return p
}

func translatePi(event string, p payload) Outcome {
	tool, input := p.text("toolName"), p.in("input")
	say := func(s lifecycle.State) lifecycle.Report { return p.report(p.text("session"), "", s) }
	switch event {
	case "session_start":
		return begun(p, say(lifecycle.Idle))
	case "before_agent_start":
		return prompted(p, say(lifecycle.Working))
	case "agent_start", "ui_prompt_end":
		return one(say(lifecycle.Working))
	case "tool_call":
		return one(at(say(lifecycle.Working), tool))
	case "tool_result":
		o := one(say(lifecycle.Working))
		if string(p.fields["isError"]) != "true" {
			o.Edits = input.paths()
		}
		o.Tell = func(text string) []byte { return []byte(text) } // the extension gives it on
		return o
	case "ui_prompt_start":
		// What can only be agreed to is an approval, as it says in-band, too.
		reason := lifecycle.Question
		if p.text("kind") == "confirm" {
			reason = lifecycle.Approval
		}
		o := one(needs(say(""), reason, p.text("title"), ""))
		o.Ask = &Ask{Text: p.text("title")}
		return o
	case "agent_settled":
		return piSettles(p, say(lifecycle.Done))
	case "session_shutdown":
		return ended(p, say(lifecycle.Unknown), "new", "resume", "fork", "reload")
	}
	return Outcome{}
}

// piSettles is the true end of a turn.
func piSettles(p payload, r lifecycle.Report) Outcome {
	o := Outcome{Ended: true, Response: p.text("response"), Transcript: p.text("transcript_path")}
	switch failure := p.text("error"); {
	case failure != "":
		r.State, r.Reason = lifecycle.Blocked, lifecycle.ToolError
		r = saying(r, failure)
	case string(p.fields["aborted"]) == "true":
		r.State = lifecycle.Idle
	}
	r.Meta = usedMeta(int(p.number("context")))
	o.Reports = []lifecycle.Report{r}
	return o
}
