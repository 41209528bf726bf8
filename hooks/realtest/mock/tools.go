package mock

import (
	"os"
	"path/filepath"
	"strings"
)

// calls are the tools that the verb's turn calls, one a round.
func (a *Ask) calls() []*call {
	switch a.Verb {
	case "run", "background":
		return []*call{a.shell(a.Arg, a.Verb == "background")}
	case "read":
		return []*call{a.read(a.Arg)}
	case "edit":
		if a.has("apply_patch") {
			return []*call{a.patch(a.Arg)}
		}
		return []*call{a.read(a.Arg), a.edit(a.Arg)}
	case "ask":
		return []*call{a.question()}
	case "steps":
		return a.steps(a.Arg)
	case "skill":
		return []*call{{name: "Skill", args: object{"skill": a.Arg}}}
	}
	return nil
}

// steps are the commands of a file, a line each but for those that go on; none where
// it cannot be read.
func (a *Ask) steps(file string) (calls []*call) {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\n\t", "\v")) {
		line = strings.ReplaceAll(line, "\v", "\n")
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			calls = append(calls, a.shell(line, false))
		}
	}
	return calls
}

func (a *Ask) has(tool string) bool { return a.tools[tool] != "" }

// first is the first of the tools that is offered, empty for none.
func (a *Ask) first(tools ...string) string {
	for _, t := range tools {
		if a.has(t) {
			return t
		}
	}
	return ""
}

func (a *Ask) shell(command string, background bool) *call {
	c := &call{name: a.first("Bash", "exec_command", "shell_command", "run_shell_command", "bash"), args: object{}}
	switch c.name {
	case "exec_command":
		// What is done in the sandbox is not asked about.
		c.args = object{"cmd": command, "sandbox_permissions": "require_escalated", "justification": "to see whether it may", "yield_time_ms": 60000}
		if background {
			c.args["yield_time_ms"] = 500
		}
	case "shell_command":
		c.args = object{"command": command, "sandbox_permissions": "require_escalated", "justification": "to see whether it may"}
	default:
		c.args = object{"command": command, "description": "Run a command"}
		a.background(c, background)
	}
	return c
}

// background says to a call of a shell whether its command goes on beside the
// turn. The tools of opencode and pi have no word for it; the shell has.
func (a *Ask) background(c *call, on bool) {
	switch {
	case c.name == "run_shell_command": // Gemini, Qwen
		c.args["is_background"] = on
	case a.has("read_bash"): // Copilot
		c.args["mode"] = map[bool]string{true: "async", false: "sync"}[on]
	case on && c.name == "Bash": // Claude Code
		c.args["run_in_background"] = true
	case on:
		c.args["command"] = "{ " + c.args["command"].(string) + "; } >/dev/null 2>&1 &"
	}
}

func (a *Ask) read(path string) *call {
	c := &call{name: a.first("Read", "read_file", "view", "read")}
	switch c.name {
	case "":
		return a.inside("cat " + path)
	case "view":
		c.args = object{"path": path}
	case "read":
		c.args = object{"filePath": path, "path": path}
	default:
		c.args = object{"file_path": path}
	}
	return c
}

// inside is a command that runs in Codex's sandbox, which is not asked about.
func (a *Ask) inside(command string) *call {
	if a.has("exec_command") {
		return &call{name: "exec_command", args: object{"cmd": command}}
	}
	return &call{name: "shell_command", args: object{"command": command}}
}

const before, after = "hello", "goodbye"

func (a *Ask) edit(path string) *call {
	c := &call{name: a.first("Edit", "replace", "edit")}
	switch {
	case c.name == "replace": // Gemini
		c.args = object{"file_path": path, "old_string": before, "new_string": after, "instruction": "change the greeting"}
	case c.name == "Edit", a.has("run_shell_command"): // Claude Code, Qwen
		c.args = object{"file_path": path, "old_string": before, "new_string": after}
	case a.has("view"): // Copilot
		c.args = object{"path": path, "old_str": before, "new_str": after}
	case a.has("webfetch"): // opencode
		c.args = object{"filePath": path, "oldString": before, "newString": after}
	default: // pi
		c.args = object{"path": path, "edits": []any{object{"oldText": before, "newText": after}}}
	}
	return c
}

func (a *Ask) patch(path string) *call {
	text := "*** Begin Patch\n*** Update File: " + filepath.Base(path) + "\n@@\n-" + before + " world\n+" + after + " world\n*** End Patch\n"
	if a.tools["apply_patch"] == "custom" {
		return &call{name: "apply_patch", text: text, custom: true}
	}
	return &call{name: "apply_patch", args: object{"input": text}}
}

func (a *Ask) question() *call {
	question := object{"question": "Which colour should it have?", "header": "Colour", "multiSelect": false,
		"options": []any{object{"label": "Red", "description": "like a rose"}, object{"label": "Blue", "description": "like the sky"}}}
	c := &call{name: a.first("AskUserQuestion", "request_user_input", "ask_user_question", "ask_user", "question"), args: object{"questions": []any{question}}}
	switch {
	case c.name == "request_user_input": // Codex
		question["id"] = "colour"
		delete(question, "multiSelect")
	case c.name == "ask_user" && a.has("run_shell_command"): // Gemini
		question["type"] = "choice"
	case c.name == "ask_user": // Copilot, whose two versions read their own half
		c.args = object{"question": question["question"], "choices": []string{"Red", "Blue"}, "message": question["question"], "requestedSchema": object{
			"type": "object", "required": []string{"colour"}, "properties": object{"colour": object{"type": "string", "enum": []string{"Red", "Blue"}}}}}
	}
	return c
}

// offers files the offered tools of a list of descriptions.
func (a *Ask) offers(tools []object) {
	for _, t := range tools {
		if f := t.object("function"); f != nil {
			t = f
		}
		kind := "function"
		if strings.HasPrefix(t.text("type"), "custom") {
			kind = "custom"
		}
		if name := t.text("name"); name != "" {
			a.tools[name] = kind
		}
	}
}
