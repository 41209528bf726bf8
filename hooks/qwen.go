package hooks

import (
	"path/filepath"

	"deck/lifecycle"
)

// qwen is Qwen Code. Its hooks look like Claude Code's; PreToolUse comes after a
// request was approved.
func qwen() Agent {
	return Agent{
		Name: "qwen", Title: "Qwen Code", Command: "qwen", Programs: []string{"qwen-code"},
		Home:     Home{Env: "QWEN_HOME", Folder: ".qwen", Instructions: "QWEN.md", Skills: "skills"},
		Composer: Composer{Pause: enterPause},
		Events: []string{
			"SessionStart", "UserPromptSubmit", "PermissionRequest", "PreToolUse", "PostToolUse", "PostToolUseFailure",
			"Notification", "Stop", "StopFailure", "SubagentStart", "SubagentStop", "SessionEnd",
		},
		start:     startQwen,
		resume:    func(session string) []string { return []string{"--resume", session} },
		exists:    fileExists("projects/*/chats/SESSION.jsonl"),
		translate: translateQwen,
		context:   hookContext,
	}
}

var qwenOptions = options{
	session: "--resume -r --continue -c --session-id --fork-session",
	prompt:  "--prompt-interactive -i --prompt -p",
	valued:  "--resume -r --session-id --model -m --approval-mode --extensions -e --include-directories --prompt-interactive -i --prompt -p",
}

// qwenSettings is the variable that names its system settings. They add to a
// person's; an administrator's own are read instead of deck's where it is set.
const qwenSettings = "QWEN_CODE_SYSTEM_SETTINGS_PATH"

func startQwen(l Launch) Plan {
	var p Plan
	if l.Reporter != "" && l.Folder != "" && l.Getenv(qwenSettings) == "" {
		file := filepath.Join(l.Folder, "qwen.json")
		hooks := map[string]any{}
		for _, e := range qwen().Events {
			h := map[string]any{"type": "command", "command": reporterCommand(l.Reporter, "qwen"), "timeout": 5}
			hooks[e] = []any{map[string]any{"hooks": []any{h}}}
		}
		p.Files = map[string][]byte{file: encode(map[string]any{"hooks": hooks})}
		p.Env = []string{qwenSettings + "=" + file, injected("qwen")}
	}
	p.Argv = option("--model", l.Model)
	switch {
	case l.Session != "":
		p.Argv = append(p.Argv, "--resume", l.Session)
		l.Args = qwenOptions.flagsOf(l.Args)
	case l.Fresh != "" && !qwenOptions.chooseSession(l.Args):
		p.Session = l.Fresh
		p.Argv = append(p.Argv, "--session-id", l.Fresh)
	}
	p.Argv = append(append(p.Argv, option("--prompt-interactive", l.Kickoff)...), l.Args...)
	return p
}

func translateQwen(event string, p payload) Outcome {
	tool, input := p.text("tool_name"), p.in("tool_input")
	switch event {
	case "PermissionRequest":
		// What its hook may answer is not known, so the dialog decides.
		o := claudeAsks(p.report(p.text("session_id"), p.text("agent_id"), ""), tool, input)
		if tool == "ask_user_question" {
			o.Reports[0].Reason = lifecycle.Question
		}
		o.Reply, o.Wait = nil, 0
		return o
	case "UserPromptSubmit":
		// The results of tools come as prompts, too.
		o := translateClaude(event, p)
		o.Prompt = p.text("submitted_prompt") != ""
		return o
	}
	return translateClaude(event, p)
}
