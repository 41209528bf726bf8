package hooks

import "deck/lifecycle"

// copilot is GitHub's Copilot CLI. Its hooks live in files of their own; none
// can be named at a start.
func copilot() Agent {
	return Agent{
		Name: "copilot", Title: "Copilot CLI", Command: "copilot",
		Home:     Home{Env: "COPILOT_HOME", Folder: ".copilot", Instructions: "copilot-instructions.md", Skills: "skills"},
		Composer: Composer{Pause: enterPause},
		Events: []string{
			"sessionStart", "userPromptSubmitted", "preToolUse", "permissionRequest", "postToolUse", "postToolUseFailure",
			"notification", "agentStop", "sessionEnd",
		},
		start:     startCopilot,
		resume:    func(session string) []string { return []string{"--resume=" + session} },
		exists:    fileExists("session-state/SESSION"),
		translate: translateCopilot,
		context:   bareContext,
	}
}

var copilotOptions = options{
	session: "--resume --continue --session-id",
	prompt:  "-i --interactive -p --prompt",
	valued:  "--session-id --model --agent --add-dir --allow-tool --deny-tool -i --interactive -p --prompt --log-dir --log-level",
}

func startCopilot(l Launch) Plan {
	var p Plan
	p.Argv = option("--model", l.Model)
	switch {
	case l.Session != "":
		p.Argv = append(p.Argv, "--resume="+l.Session)
		l.Args = copilotOptions.flagsOf(l.Args)
	case l.Fresh != "" && !copilotOptions.chooseSession(l.Args):
		p.Session = l.Fresh
		p.Argv = append(p.Argv, "--session-id", l.Fresh)
	}
	p.Argv = append(append(p.Argv, option("-i", l.Kickoff)...), l.Args...)
	return p
}

func translateCopilot(event string, p payload) Outcome {
	tool := p.text("toolName")
	say := func(s lifecycle.State) lifecycle.Report { return p.report(p.text("sessionId"), "", s) }
	switch event {
	case "sessionStart":
		return begun(p, say("")) // comes with the first prompt
	case "userPromptSubmitted":
		return prompted(p, say(lifecycle.Working))
	case "preToolUse":
		return one(at(say(lifecycle.Working), tool))
	case "permissionRequest":
		input := p.in("toolInput")
		o := one(needs(say(""), lifecycle.Approval, input.summary(tool), tool))
		o.Ask = input.ask(tool)
		return o
	case "postToolUse", "postToolUseFailure":
		o := one(say(lifecycle.Working))
		o.Tell = bareContext
		if event == "postToolUse" {
			o.Edits = p.in("toolArgs").paths()
		}
		return o
	case "notification":
		switch p.text("notification_type") {
		case "permission_prompt":
			r := needs(say(""), lifecycle.Approval, p.text("message"), "")
			r.Confirm = true
			return one(r)
		case "elicitation_dialog":
			return one(needs(say(""), lifecycle.Question, p.text("message"), ""))
		}
	case "agentStop":
		o := one(say(lifecycle.Done))
		o.Ended, o.Transcript = true, p.text("transcriptPath")
		return o
	case "sessionEnd":
		return one(say(lifecycle.Unknown))
	}
	return Outcome{}
}
