package hooks

import (
	"cmp"
	_ "embed" // the plugin
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"

	"deck/lifecycle"
)

// opencode loads plugins, described at https://opencode.ai/docs/plugins. Theirs
// and its session's ids are of the first prompt on; a sub-agent is a session
// with a parent.
func opencode() Agent {
	return Agent{
		Name: "opencode", Title: "opencode", Command: "opencode",
		Home:     Home{Env: "XDG_CONFIG_HOME", Below: "opencode", Folder: ".config/opencode", Instructions: "AGENTS.md", Skills: "skills"},
		Composer: Composer{Pause: enterPause},
		Events: []string{
			"session.created", "session.status", "session.idle", "session.error", "chat.message", "tool.execute.before", "tool.execute.after",
			"permission.asked", "permission.replied", "question.asked", "question.replied", "question.rejected",
		},
		start:     startOpencode,
		resume:    func(session string) []string { return []string{"--session", session} },
		translate: translateOpencode,
	}
}

var opencodeOptions = options{
	session: "--session -s --continue -c --fork",
	prompt:  "--prompt",
	valued:  "--session -s --prompt --model -m --agent --port --hostname --log-level",
	words:   true, // a folder
}

//go:embed opencode.js
var opencodeSource string

// opencodePlugin is the plugin that calls the reporter.
func opencodePlugin(reporter string) []byte { return plugin(opencodeSource, reporter) }

// plugin puts the reporter's path, as a string of JavaScript, into a source.
func plugin(source, reporter string) []byte {
	path, _ := json.Marshal(reporter)
	return []byte(strings.Replace(source, `"REPORTER"`, string(path), 1))
}

// opencodeConfig is the variable with a configuration that adds to the files'.
const opencodeConfig = "OPENCODE_CONFIG_CONTENT"

func startOpencode(l Launch) Plan {
	var p Plan
	if l.Reporter != "" && l.Folder != "" {
		file := filepath.Join(l.Folder, "opencode.js")
		if config, ok := withPlugin(l.Getenv(opencodeConfig), file); ok {
			p.Files = map[string][]byte{file: opencodePlugin(l.Reporter)}
			p.Env = []string{opencodeConfig + "=" + config, injected("opencode")}
		}
	}
	p.Argv = option("--model", l.Model)
	if l.Session != "" {
		p.Argv = append(p.Argv, "--session", l.Session)
		l.Args = opencodeOptions.flagsOf(l.Args)
	}
	p.Argv = append(append(p.Argv, option("--prompt", l.Kickoff)...), l.Args...)
	return p
}

// withPlugin adds a plugin to a configuration, where that is one.
func withPlugin(config, file string) (string, bool) {
	fields := map[string]json.RawMessage{}
	var plugins []json.RawMessage
	if config != "" && json.Unmarshal([]byte(config), &fields) != nil || fields == nil {
		return "", false
	}
	if raw, ok := fields["plugin"]; ok && json.Unmarshal(raw, &plugins) != nil {
		return "", false
	}
	at, _ := json.Marshal((&url.URL{Scheme: "file", Path: file}).String())
	fields["plugin"], _ = json.Marshal(append(plugins, at))
	b, err := json.Marshal(fields)
	return string(b), err == nil
}

func translateOpencode(event string, p payload) Outcome {
	session, helper := p.text("sessionID"), ""
	if parent := p.text("parentID"); parent != "" {
		session, helper = parent, session
	}
	say := func(s lifecycle.State) lifecycle.Report { return p.report(session, helper, s) }
	switch event {
	case "session.created":
		if helper != "" {
			return one(say(lifecycle.Working))
		}
		return begun(p, say("")) // comes with the first prompt
	case "chat.message":
		return prompted(p, say(lifecycle.Working))
	case "session.status":
		switch s := p.in("status"); s.text("type") {
		case "busy":
			return one(say(lifecycle.Working))
		case "retry":
			return one(saying(say(lifecycle.Working), s.text("message")))
		}
	case "tool.execute.before":
		return one(at(say(lifecycle.Working), p.text("tool")))
	case "tool.execute.after":
		o := one(say(lifecycle.Working))
		o.Edits = p.in("args").paths()
		return o
	case "permission.asked":
		input, tool := p.in("metadata"), p.text("permission")
		request := cmp.Or(input.summary(tool), strings.Join(p.texts("patterns"), " "))
		o := one(needs(say(""), lifecycle.Approval, request, tool))
		if o.Ask = input.ask(tool); o.Ask.Text == "" {
			o.Ask.Text = request
		}
		return o
	case "question.asked":
		o := one(needs(say(""), lifecycle.Question, p.summary(""), ""))
		o.Ask = p.ask("")
		o.Ask.Text = p.summary("")
		return o
	case "permission.replied", "question.replied", "question.rejected":
		return one(say(lifecycle.Working)) // it says idle itself after a no
	case "session.idle":
		if helper != "" {
			return one(say(lifecycle.Unknown))
		}
		o := one(say(lifecycle.Done))
		o.Ended, o.Response = true, p.text("response")
		return o
	case "session.error":
		return opencodeFails(p, say(""))
	}
	return Outcome{}
}

// opencodeFails is a turn that ended with an error, or by Esc.
func opencodeFails(p payload, r lifecycle.Report) Outcome {
	e := p.in("error")
	message := e.in("data").text("message")
	switch e.text("name") {
	case "MessageAbortedError":
		r.State, message = lifecycle.Idle, ""
	case "ProviderAuthError":
		r = needs(r, lifecycle.Authentication, message, "")
	default:
		r.State, r.Reason = lifecycle.Blocked, lifecycle.ToolError
	}
	o := one(saying(r, message))
	o.Ended = true
	return o
}
