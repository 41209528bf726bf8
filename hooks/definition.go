package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Definition is an agent with a part to play: a program, perhaps its model and
// its tools, and what it is told before anything else.
type Definition struct {
	Name        string // of its file, without the ending
	Description string
	Agent       Agent
	Model       string   // a tier or the agent's own name, empty for its default
	Tools       []string // those that it may use, by the agent's own names; nil for all
	Prompt      string
}

// MaxDefinition is the largest file of a definition, in bytes: its prompt has to
// fit into one argument of a program.
const MaxDefinition = 64 << 10

// definitionName is what a definition can be called, so that it is one word for a
// shell and no flag.
var definitionName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$`)

// IsDefinitionName reports whether a definition can be called that. The names of
// agents mean those.
func IsDefinitionName(name string) bool {
	_, taken := Lookup(name)
	return definitionName.MatchString(name) && !taken
}

// ParseDefinition reads a definition: Markdown below front matter in YAML, between
// two lines "---". path is the file's, for errors, which name the line.
func ParseDefinition(name, path string, text []byte) (Definition, error) {
	d := Definition{Name: name}
	at := func(line int, format string, args ...any) error {
		return fmt.Errorf("%s:%d: %s", path, line, fmt.Sprintf(format, args...))
	}
	if !utf8.Valid(text) {
		return d, at(1, "not UTF-8 text")
	}
	front, body, ok := cutFront(text)
	if !ok {
		return d, at(1, `no front matter: a line "---", keys, and another line "---"`)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(front, &doc); err != nil {
		return d, yamlError(path, err)
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return d, at(2, "the front matter has no keys")
	}
	if err := d.take(doc.Content[0], at); err != nil {
		return d, err
	}
	if d.Prompt = strings.TrimSpace(string(body)); d.Prompt == "" {
		return d, at(1, "there is no prompt below the front matter")
	}
	if strings.ContainsRune(d.Prompt, 0) {
		return d, at(1, "the prompt has a NUL")
	}
	return d, nil
}

// cutFront splits a file into its front matter and what is below. The line of the
// opening "---" stays as a blank one, so that the lines count as in the file.
func cutFront(text []byte) (front, body []byte, ok bool) {
	_, text = cutMark(text)
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	rest, ok := bytes.CutPrefix(text, []byte("---\n"))
	if !ok {
		return nil, nil, false
	}
	front, body, ok = bytes.Cut(append([]byte("\n"), rest...), []byte("\n---\n"))
	if !ok {
		front, ok = bytes.CutSuffix(append([]byte("\n"), rest...), []byte("\n---"))
	}
	return append(front, '\n'), body, ok
}

// yamlLine is where the YAML library says that something is wrong.
var yamlLine = regexp.MustCompile(`^yaml: line ([0-9]+): (.*)$`)

func yamlError(path string, err error) error {
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("%s:%s: %s", path, m[1], m[2])
	}
	return fmt.Errorf("%s: %s", path, strings.TrimPrefix(err.Error(), "yaml: "))
}

// take reads the keys. It goes over them one by one, since what is misspelt has to
// be said with its line.
func (d *Definition) take(keys *yaml.Node, at func(int, string, ...any) error) error {
	seen, tools := map[string]bool{}, 0
	for i := 0; i+1 < len(keys.Content); i += 2 {
		k, v := keys.Content[i], keys.Content[i+1]
		if seen[k.Value] {
			return at(k.Line, "%s is there twice", k.Value)
		}
		seen[k.Value] = true
		var err error
		switch k.Value {
		case "description":
			d.Description, err = scalar(v)
		case "agent":
			var name string
			if name, err = scalar(v); err == nil {
				var known bool
				if d.Agent, known = Lookup(name); !known {
					err = fmt.Errorf("no such agent: %s", name)
				}
			}
		case "model":
			d.Model, err = scalar(v)
		case "tools":
			tools = k.Line
			d.Tools, err = list(v)
		default:
			return at(k.Line, "unknown key: %s (description, agent, model or tools)", k.Value)
		}
		if err != nil {
			return at(v.Line, "%s: %v", k.Value, err)
		}
	}
	switch {
	case d.Agent.Name == "":
		return at(1, "agent is missing: the program that it is")
	case d.Tools != nil && !d.Agent.TakesTools():
		return at(tools, "tools: %s can't be held to some of its tools", d.Agent.Title)
	}
	return nil
}

func scalar(v *yaml.Node) (string, error) {
	if v.Kind != yaml.ScalarNode || v.Tag != "!!str" || v.Value == "" {
		return "", errors.New("not a text")
	}
	if strings.ContainsFunc(v.Value, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }) {
		return "", errors.New("it has control characters")
	}
	return strings.TrimSpace(v.Value), nil
}

// list reads a sequence of texts, or one text with commas between.
func list(v *yaml.Node) ([]string, error) {
	out := []string{}
	if v.Kind == yaml.SequenceNode {
		for _, e := range v.Content {
			s, err := scalar(e)
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
	} else {
		s, err := scalar(v)
		if err != nil {
			return nil, err
		}
		for part := range strings.SplitSeq(s, ",") {
			out = append(out, strings.TrimSpace(part))
		}
	}
	for _, s := range out {
		if s == "" || strings.HasPrefix(s, "-") || strings.ContainsAny(s, ",\n") {
			return nil, fmt.Errorf("not a tool: %q", s)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("it names none")
	}
	return out, nil
}

// TakesSystem reports whether the agent takes what a definition tells it as an
// argument; the others get it with their first prompt.
func (a Agent) TakesSystem() bool { return a.system != "" }

// TakesTools reports whether the agent can be held to some of its tools.
func (a Agent) TakesTools() bool { return a.tools != "" }

// part are the arguments for a definition. A flag follows whatever takes more than
// one word.
func (a Agent) part(l Launch) []string {
	var args []string
	if a.tools != "" {
		args = option(a.tools, strings.Join(l.Tools, ","))
	}
	if a.system != "" {
		args = append(args, option(a.system, l.System)...)
	}
	return args
}
