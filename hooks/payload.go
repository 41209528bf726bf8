package hooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"deck/lifecycle"
)

// payload is a JSON object that a hook was given, or one within it.
type payload struct {
	agent  Agent
	fields map[string]json.RawMessage
}

// text returns a string among the fields, empty if there is none.
func (p payload) text(key string) string {
	var s string
	_ = json.Unmarshal(p.fields[key], &s)
	return s
}

// first returns the first of the fields that has a text.
func (p payload) first(keys ...string) string {
	for _, k := range keys {
		if s := p.text(k); s != "" {
			return s
		}
	}
	return ""
}

// in returns an object among the fields, one without fields if there is none.
func (p payload) in(key string) payload {
	o := payload{agent: p.agent}
	_ = json.Unmarshal(p.fields[key], &o.fields)
	return o
}

// list returns the objects of an array among the fields.
func (p payload) list(key string) []payload {
	var raw []json.RawMessage
	_ = json.Unmarshal(p.fields[key], &raw)
	var list []payload
	for _, r := range raw {
		o := payload{agent: p.agent}
		if json.Unmarshal(r, &o.fields) == nil && o.fields != nil {
			list = append(list, o)
		}
	}
	return list
}

// texts returns the strings of an array among the fields.
func (p payload) texts(key string) []string {
	var list []string
	_ = json.Unmarshal(p.fields[key], &list)
	return list
}

// number returns a number among the fields, 0 if there is none.
func (p payload) number(key string) float64 {
	var n float64
	_ = json.Unmarshal(p.fields[key], &n)
	return n
}

// report begins a report of the payload's agent in a session. A hook says what
// holds until the next one does, so it is believed for as long as any.
func (p payload) report(session, helper string, s lifecycle.State) lifecycle.Report {
	return lifecycle.Report{
		Source: p.agent.Source(), Agent: p.agent.Name, State: s,
		Session: asID(session), Helper: asID(helper), TTLMillis: lifecycle.MaxTTL.Milliseconds(),
	}
}

// maxID is the length of a session's or a helper's id that a report may have.
const maxID = 200

// asID returns an id as it is, empty for what is none: it becomes an argument
// of a command line, and a part of a file's name.
func asID(id string) string {
	for i, r := range id {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && (i == 0 || !strings.ContainsRune("-_.:", r)) {
			return ""
		}
	}
	if len(id) > maxID {
		return ""
	}
	return id
}

// needs makes a report one that asks a person.
func needs(r lifecycle.Report, reason, request, tool string) lifecycle.Report {
	r.State, r.Reason = lifecycle.NeedsInput, reason
	r.Request, r.Tool = lifecycle.Clean(request, lifecycle.MaxRequest), lifecycle.Clean(tool, lifecycle.MaxDetail)
	return r
}

// at names the tool at work.
func at(r lifecycle.Report, tool string) lifecycle.Report {
	r.Tool = lifecycle.Clean(tool, lifecycle.MaxDetail)
	return r
}

// saying gives a report a detail.
func saying(r lifecycle.Report, detail string) lifecycle.Report {
	r.Detail = lifecycle.Clean(detail, lifecycle.MaxDetail)
	return r
}

// mainKeys are the fields of a tool's input that say what it is about, the most
// telling first.
var mainKeys = []string{
	"command", "file_path", "filePath", "filepath", "path", "notebook_path", "url", "query", "pattern", "question", "description", "prompt", "plan",
}

// summary says in a line what a tool's input asks for.
func (p payload) summary(tool string) string {
	if qs := p.list("questions"); len(qs) > 0 {
		return qs[0].first("question", "header")
	}
	s := p.first(mainKeys...)
	if tool == patchTool || strings.HasPrefix(s, patchHead) {
		return strings.Join(patched(s), ", ")
	}
	return cmp.Or(s, p.plain())
}

// plain is a tool's input as text: what it is about, then the other fields.
// Edits are left out, since they are shown as such.
func (p payload) plain() string {
	var b strings.Builder
	head := ""
	for _, k := range mainKeys {
		if head = p.text(k); head != "" {
			b.WriteString(head + "\n")
			break
		}
	}
	keys := make([]string, 0, len(p.fields))
	for k := range p.fields {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		s := p.text(k)
		if s == "" {
			var c bytes.Buffer
			if json.Compact(&c, p.fields[k]) == nil {
				s = c.String()
			}
		}
		if s == head || s == "" || k == "questions" || len(p.edits()) > 0 && slices.Contains(editKeys, k) {
			continue
		}
		b.WriteString(k + ": " + s + "\n")
	}
	for _, q := range p.list("questions") {
		b.WriteString(q.first("question", "header") + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// ask is what a tool's input asks a person.
func (p payload) ask(tool string) *Ask {
	a := &Ask{Tool: tool, Text: p.plain(), Edits: p.edits()}
	if qs := p.list("questions"); len(qs) == 1 {
		for _, o := range qs[0].list("options") {
			a.Options = append(a.Options, o.text("label"))
		}
	}
	return a
}

// The names that agents give the parts of an edit.
var (
	pathKeys = []string{"file_path", "filePath", "filepath", "path", "notebook_path"}
	oldKeys  = []string{"old_string", "oldString", "oldText", "old_str"}
	newKeys  = []string{"new_string", "newString", "newText", "new_str", "content", "file_text", "new_source"}
	editKeys = slices.Concat(oldKeys, newKeys, []string{"edits"})
)

// edits are the changes that a tool's input asks for: it names a file and a new
// text. Of a patch only the files are told.
func (p payload) edits() []Edit {
	path := p.first(pathKeys...)
	if s := p.first("command", "input", "patch"); strings.HasPrefix(strings.TrimSpace(s), patchHead) {
		var list []Edit
		for _, f := range patched(s) {
			list = append(list, Edit{Path: f})
		}
		return list
	}
	if path == "" {
		return nil
	}
	var list []Edit
	for _, e := range p.list("edits") {
		list = append(list, Edit{path, e.first(oldKeys...), e.first(newKeys...)})
	}
	if len(list) > 0 {
		return list
	}
	for _, k := range newKeys {
		if _, ok := p.fields[k]; ok {
			return []Edit{{path, p.first(oldKeys...), p.text(k)}}
		}
	}
	if _, ok := p.fields["diff"]; ok {
		return []Edit{{Path: path}}
	}
	return nil
}

// paths are the files that a tool's input changes, each once.
func (p payload) paths() []string {
	var list []string
	for _, e := range p.edits() {
		if !slices.Contains(list, e.Path) {
			list = append(list, e.Path)
		}
	}
	return list
}

// The form of patches as some agents write them: a line per file begins with
// what is done to it.
const (
	patchTool = "apply_patch"
	patchHead = "*** Begin Patch"
)

// patched returns the files that a patch changes.
func patched(patch string) []string {
	var files []string
	for line := range strings.Lines(patch) {
		for _, head := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			if f, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), head); ok {
				files = append(files, f)
			}
		}
	}
	return files
}
