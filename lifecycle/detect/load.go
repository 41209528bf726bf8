package detect

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"deck/lifecycle"
)

// The limits of a rule file. They keep what a person writes from costing more
// than a pane's own work does.
const (
	maxFile      = 64 << 10
	maxRules     = 64
	maxConds     = 32  // of one rule
	maxAllConds  = 512 // of a file
	maxDepth     = 4
	maxPattern   = 256    // bytes of a text or pattern
	maxProgram   = 600    // instructions of a pattern
	maxPrograms  = 10_000 // of all patterns of a file
	maxID        = 40
	maxRows      = 200 // the number of a region
	maxPriority  = 1000
	fileVersion  = 1
	maxPromptLen = 16 // bytes of a marker
)

// RuleError is a fault of a rule file.
type RuleError struct {
	Line int    // counted from 1, 0 where it is not known
	Key  string // the key at fault, as "rule.regex"; may be empty
	Err  error
}

func (e *RuleError) Error() string {
	var b strings.Builder
	if e.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	if e.Key != "" {
		b.WriteString(e.Key + ": ")
	}
	return b.String() + e.Err.Error()
}

func (e *RuleError) Unwrap() error { return e.Err }

// ruleFile is a rule file as written.
type ruleFile struct {
	Version int        `toml:"version"`
	Prompt  []string   `toml:"prompt"`
	Frame   []string   `toml:"frame"`
	Empty   []string   `toml:"empty"`
	Generic *bool      `toml:"generic"`
	Rule    []ruleSpec `toml:"rule"`
}

type ruleSpec struct {
	ID       string     `toml:"id"`
	State    string     `toml:"state"`
	Reason   string     `toml:"reason"`
	Priority int        `toml:"priority"`
	Hold     bool       `toml:"hold"`
	Tool     string     `toml:"tool"`
	Request  string     `toml:"request"`
	Region   string     `toml:"region"`
	Text     string     `toml:"text"`
	Regex    string     `toml:"regex"`
	Fold     bool       `toml:"fold"`
	BelowNot string     `toml:"below_not"`
	All      []condSpec `toml:"all"`
	Any      []condSpec `toml:"any"`
	Not      []condSpec `toml:"not"`
	Ended    []condSpec `toml:"ended"`
}

type condSpec struct {
	Region   string     `toml:"region"`
	Text     string     `toml:"text"`
	Regex    string     `toml:"regex"`
	Fold     bool       `toml:"fold"`
	BelowNot string     `toml:"below_not"`
	All      []condSpec `toml:"all"`
	Any      []condSpec `toml:"any"`
	Not      []condSpec `toml:"not"`
}

// Parse reads the rules of an agent. A fault anywhere refuses the whole file;
// the error is a *RuleError.
func Parse(agent string, text []byte) (*Rules, error) {
	if len(text) > maxFile {
		return nil, &RuleError{Err: fmt.Errorf("longer than %d bytes", maxFile)}
	}
	var f ruleFile
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, decodeError(err)
	}
	c := compiler{text: text, rule: -1}
	r := c.file(agent, &f)
	if c.err != nil {
		return nil, c.err
	}
	return r, nil
}

// decodeError gives a fault of the TOML its line and key.
func decodeError(err error) error {
	var strict *toml.StrictMissingError
	var plain *toml.DecodeError
	switch {
	case errors.As(err, &strict) && len(strict.Errors) > 0:
		line, _ := strict.Errors[0].Position()
		return &RuleError{Line: line, Key: strings.Join(strict.Errors[0].Key(), "."), Err: errors.New("unknown key")}
	case errors.As(err, &plain):
		line, _ := plain.Position()
		return &RuleError{Line: line, Key: strings.Join(plain.Key(), "."), Err: errors.New(strings.TrimPrefix(plain.Error(), "toml: "))}
	}
	return &RuleError{Err: err}
}

// compiler turns a file into rules; it keeps the first fault.
type compiler struct {
	text     []byte
	rule     int // the one at work, -1 before the first
	conds    int // of this rule
	allConds int
	programs int
	err      error
}

func (c *compiler) fail(key, format string, args ...any) {
	if c.err == nil {
		name := key
		if c.rule >= 0 {
			name = "rule." + key
		}
		c.err = &RuleError{Line: c.lineOf(key), Key: name, Err: fmt.Errorf(format, args...)}
	}
}

// lineOf finds the line of a key of the rule at work, else that rule's first.
func (c *compiler) lineOf(key string) int {
	rule, at := -1, 0
	for i, l := range strings.Split(string(c.text), "\n") {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "[[") {
			if rule++; rule > c.rule {
				break
			}
			if rule == c.rule {
				at = i + 1
			}
		}
		if name, _, ok := strings.Cut(l, "="); ok && rule == c.rule && strings.TrimSpace(name) == key {
			return i + 1
		}
	}
	return at
}

func (c *compiler) file(agent string, f *ruleFile) *Rules {
	r := &Rules{agent: agent, version: f.Version, generic: f.Generic == nil || *f.Generic}
	if f.Version != fileVersion {
		c.fail("version", "unknown version: %d", f.Version)
	}
	for _, m := range f.Prompt {
		if m == "" || len(m) > maxPromptLen {
			c.fail("prompt", "not a marker: %.20q", m)
		}
		r.marks = append(r.marks, m)
	}
	for _, e := range f.Empty {
		if e != strings.TrimSpace(e) || e == "" {
			c.fail("empty", "not a text: %.20q", e)
		}
		r.empty = append(r.empty, e)
	}
	for _, name := range f.Frame {
		fr, ok := frameNames[name]
		if !ok {
			c.fail("frame", "unknown frame: %.20s", name)
		}
		if fr != frameBare && fr != frameBar && len(r.marks) == 0 {
			c.fail("frame", "%s needs a prompt", name)
		}
		r.frames = append(r.frames, fr)
	}
	if len(f.Rule) > maxRules {
		c.fail("rule", "more than %d rules", maxRules)
		return r
	}
	seen := map[string]bool{}
	for i := range f.Rule {
		c.rule, c.conds = i, 0
		rl := c.compile(&f.Rule[i])
		if seen[rl.id] {
			c.fail("id", "duplicate id: %s", rl.id)
		}
		seen[rl.id] = true
		r.rules = append(r.rules, rl)
	}
	slices.SortStableFunc(r.rules, func(a, b rule) int { return cmp.Compare(b.priority, a.priority) })
	return r
}

var validRuleID = regexp.MustCompile(`^[a-z0-9][a-z0-9_.-]*$`)

func (c *compiler) compile(s *ruleSpec) rule {
	rl := rule{id: s.ID, state: lifecycle.State(s.State), reason: s.Reason, priority: s.Priority, hold: s.Hold}
	if !validRuleID.MatchString(s.ID) || len(s.ID) > maxID {
		c.fail("id", "not an id: %.60q", s.ID)
	}
	if s.Priority < 0 || s.Priority > maxPriority {
		c.fail("priority", "not 0 to %d: %d", maxPriority, s.Priority)
	}
	c.checkState(s)
	switch rl.state {
	case lifecycle.NeedsInput, lifecycle.Blocked:
		rl.reason = cmp.Or(s.Reason, "unknown")
	}
	top := condSpec{Region: cmp.Or(s.Region, "screen"), Text: s.Text, Regex: s.Regex, Fold: s.Fold, BelowNot: s.BelowNot, All: s.All, Any: s.Any, Not: s.Not}
	if top.Text == "" && top.Regex == "" && len(top.All)+len(top.Any) == 0 && s.Region == "" {
		c.fail("region", "a rule needs a region or a condition")
	}
	rl.when = c.cond(&top, region{}, 0)
	for i := range s.Ended {
		rl.ended = append(rl.ended, c.cond(&s.Ended[i], rl.when.where, 1))
	}
	if len(s.Ended) > 0 && rl.state != lifecycle.Idle && rl.state != lifecycle.Done {
		c.fail("ended", "only idle and done have an end")
	}
	rl.native = rl.when.where.kind.native()
	rl.tool, rl.request = c.pattern("tool", s.Tool, false), c.pattern("request", s.Request, false)
	return rl
}

// checkState refuses states that a screen cannot tell, and reasons that a state
// does not have.
func (c *compiler) checkState(s *ruleSpec) {
	var reasons []string
	switch lifecycle.State(s.State) {
	case lifecycle.Working, lifecycle.Idle, lifecycle.Done:
	case lifecycle.NeedsInput:
		reasons = []string{"approval", "question", "authentication", "unknown"}
	case lifecycle.Blocked:
		reasons = []string{"limit", "authentication", "tool_error", "external_wait", "unknown"}
	case "":
		if !s.Hold {
			c.fail("state", "missing state")
		}
	default:
		c.fail("state", "unknown state: %.20q", s.State)
	}
	if s.Reason != "" && !slices.Contains(reasons, s.Reason) {
		c.fail("reason", "unknown reason: %.20q", s.Reason)
	}
}

func (c *compiler) cond(s *condSpec, parent region, depth int) cond {
	c.conds++
	c.allConds++
	out := cond{where: parent, text: s.Text, fold: s.Fold}
	switch {
	case depth > maxDepth:
		c.fail("all", "nested more than %d deep", maxDepth)
	case c.conds > maxConds:
		c.fail("all", "more than %d conditions", maxConds)
	case c.allConds > maxAllConds:
		c.fail("all", "more than %d conditions in all", maxAllConds)
	case len(s.Text) > maxPattern:
		c.fail("text", "longer than %d bytes", maxPattern)
	}
	if c.err != nil {
		return out
	}
	if s.Region != "" {
		out.where = c.region(s.Region)
	}
	if s.Fold {
		out.text = strings.ToLower(s.Text)
	}
	out.re = c.pattern("regex", s.Regex, s.Fold)
	out.belowNot = c.pattern("below_not", s.BelowNot, s.Fold)
	for _, list := range []struct {
		from []condSpec
		to   *[]cond
	}{{s.All, &out.all}, {s.Any, &out.any}, {s.Not, &out.not}} {
		for i := range list.from {
			*list.to = append(*list.to, c.cond(&list.from[i], out.where, depth+1))
		}
	}
	return out
}

func (c *compiler) region(name string) region {
	base, number, counted := strings.Cut(name, ":")
	kind, ok := regionNames[base]
	if !ok || counted != kind.counted() {
		c.fail("region", "unknown region: %.30q", name)
		return region{}
	}
	if !counted {
		return region{kind: kind}
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > maxRows {
		c.fail("region", "not a number of rows: %.30q", name)
	}
	return region{kind, n}
}

func (c *compiler) pattern(key, s string, fold bool) *regexp.Regexp {
	if s == "" || c.err != nil {
		return nil
	}
	if len(s) > maxPattern {
		c.fail(key, "longer than %d bytes", maxPattern)
		return nil
	}
	if fold {
		s = "(?i)" + s
	}
	tree, err := syntax.Parse(s, syntax.Perl)
	if err != nil {
		c.fail(key, "%w", err)
		return nil
	}
	size := programSize(tree)
	c.programs += size
	if size > maxProgram || c.programs > maxPrograms {
		c.fail(key, "pattern is too large")
		return nil
	}
	re, err := regexp.Compile(s)
	if err != nil {
		c.fail(key, "%w", err)
		return nil
	}
	return re
}

// programSize estimates the instructions of a pattern without compiling it:
// what a repetition repeats is compiled as often.
func programSize(t *syntax.Regexp) int {
	n := 1
	switch t.Op {
	case syntax.OpLiteral:
		n += len(t.Rune)
	case syntax.OpCharClass:
		n += len(t.Rune) / 64
	}
	for _, sub := range t.Sub {
		n += programSize(sub)
	}
	if t.Op == syntax.OpRepeat {
		n *= max(t.Min, t.Max, 1)
	}
	return min(n, maxPrograms+1)
}
