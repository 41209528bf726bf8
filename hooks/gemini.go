package hooks

import (
	"cmp"

	"deck/lifecycle"
)

// gemini is Gemini CLI. Its hooks are described at
// https://geminicli.com/docs/hooks. It reads none from anywhere that a start
// could name, so they come with "deck hooks install" alone.
func gemini() Agent {
	return Agent{
		Name: "gemini", Title: "Gemini CLI", Command: "gemini", Programs: []string{"gemini-cli"},
		Models:   map[string]string{"small": "flash-lite", "medium": "flash", "large": "pro"},
		Home:     Home{Env: "GEMINI_CLI_HOME", Below: ".gemini", Folder: ".gemini", Instructions: "GEMINI.md", Skills: "skills"},
		Composer: Composer{Pause: enterPause},
		// PreCompress comes with every turn and says nothing.
		Events:    []string{"SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "Notification", "AfterAgent", "SessionEnd"},
		start:     startGemini,
		resume:    func(session string) []string { return []string{"--resume", session} },
		exists:    geminiExists,
		translate: translateGemini,
		context:   hookContext,
	}
}

var geminiOptions = options{
	session: "--resume -r --session-id",
	prompt:  "--prompt-interactive -i --prompt -p",
	valued:  "--resume -r --session-id --model -m --approval-mode --extensions -e --include-directories --prompt-interactive -i --prompt -p",
}

func startGemini(l Launch) Plan {
	var p Plan
	p.Argv = option("--model", l.Model)
	switch {
	case l.Session != "":
		p.Argv = append(p.Argv, "--resume", l.Session)
		l.Args = geminiOptions.flagsOf(l.Args)
	case l.Fresh != "" && !geminiOptions.chooseSession(l.Args):
		p.Session = l.Fresh
		p.Argv = append(p.Argv, "--session-id", l.Fresh)
	}
	p.Argv = append(append(p.Argv, option("--prompt-interactive", l.Kickoff)...), l.Args...)
	return p
}

// geminiExists goes by the first group of the id, which is all that the names of
// its files have of it.
func geminiExists(home, dir, session string) (exists, known bool) {
	if len(session) < 8 {
		return false, false
	}
	return fileExists("tmp/*/chats/session-*-SESSION.json*")(home, dir, session[:8])
}

// geminiQuestion is the tool that asks the person.
const geminiQuestion = "ask_user"

func translateGemini(event string, p payload) Outcome {
	tool, input := p.text("tool_name"), p.in("tool_input")
	say := func(s lifecycle.State) lifecycle.Report { return p.report(p.text("session_id"), "", s) }
	switch event {
	case "SessionStart":
		return begun(p, say(lifecycle.Idle))
	case "BeforeAgent":
		return prompted(p, say(lifecycle.Working))
	case "BeforeTool":
		if tool != geminiQuestion {
			return one(at(say(lifecycle.Working), tool))
		}
		o := one(needs(say(""), lifecycle.Question, input.summary(tool), tool))
		o.Ask = input.ask(tool)
		return o
	case "AfterTool":
		o := one(say(lifecycle.Working))
		o.Edits, o.Tell = input.paths(), addsContext(event)
		return o
	case "Notification":
		if p.text("notification_type") != "ToolPermission" || p.in("details").text("type") == geminiQuestion {
			return Outcome{} // a question was told with its tool
		}
		return geminiAsks(p, say(""))
	case "AfterAgent":
		// A turn without an answer was stopped, or refused by the service.
		o := one(say(lifecycle.Done))
		if o.Response = p.text("prompt_response"); o.Response == "" {
			o.Reports[0].State = lifecycle.Idle
		}
		o.Ended, o.Transcript = true, p.text("transcript_path")
		return tells(o, p)
	case "SessionEnd": // comes up to three times
		return ended(p, say(lifecycle.Unknown), "clear")
	}
	return Outcome{}
}

// geminiAsks is a dialog that opens.
func geminiAsks(p payload, r lifecycle.Report) Outcome {
	d := p.in("details")
	o := one(needs(r, lifecycle.Approval, cmp.Or(d.first("command", "filePath", "fileName", "prompt", "title"), p.text("message")), d.text("toolName")))
	o.Ask = d.ask(d.text("toolName"))
	return o
}
