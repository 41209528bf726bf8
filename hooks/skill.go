package hooks

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// skillText teaches an agent deck's commands. It is Markdown; agents read it
// whole, so that every word of it costs.
//
//go:embed skill.md
var skillText []byte

// skillHead is the front matter of a skill file, as
// https://agentskills.io/specification has it: by it an agent decides whether to read on.
const skillHead = `---
name: deck
description: Start other coding agents, prompt them, wait for their answers, hand tasks over, and use the project's memory, with the deck command. Use it in a pane of deck (DECK_PANE_ID is set) when work can be given to another agent, a message comes from one, or the project's memory can help.
---
`

// CanLearn reports whether there is a place where the agent finds a skill or
// instructions.
func (a Agent) CanLearn() bool { return a.Home.Skills != "" || a.Home.Instructions != "" }

// SkillPath is the file that TeachSkill writes to: a skill's own, or the agent's
// global instructions.
func (a Agent) SkillPath(s Site) string { return a.skill(s).path }

func (a Agent) skill(s Site) place {
	folder := a.Home.Path(s.Home, s.Getenv)
	if a.Home.Skills != "" {
		return place{filepath.Join(folder, a.Home.Skills, "deck", "SKILL.md"), skillFile{}}
	}
	return place{filepath.Join(folder, a.Home.Instructions), skillBlock{}}
}

// SkillState reads whether an agent has been taught. It writes nothing.
func (a Agent) SkillState(s Site) (State, error) {
	p := a.skill(s)
	file, err := readSettings(p.path)
	if err != nil {
		return StateUnreadable, err
	}
	switch after, err := p.settings.install(file); {
	case err != nil:
		return StateUnreadable, malformed(p.path, err)
	case bytes.Equal(file, after) && file != nil:
		return StateInstalled, nil
	}
	switch v, err := p.settings.version(file); {
	case err != nil:
		return StateUnreadable, malformed(p.path, err)
	case v > 0:
		return StateOutdated, nil
	}
	return StateMissing, nil
}

// TeachSkill writes deck's skill where the agent finds it, and returns what
// changed. With dry it writes nothing.
func (a Agent) TeachSkill(s Site, dry bool) ([]Change, error) {
	p := a.skill(s)
	c, err := editPlace(p, dry, p.settings.install)
	if err != nil || dry {
		return c, err
	}
	return c, s.remember(a.Name, false)
}

// RemoveSkill takes it out again, to the last byte, and remembers that, so that
// only its name brings it back. With dry it writes nothing.
func (a Agent) RemoveSkill(s Site, dry bool) ([]Change, error) {
	p := a.skill(s)
	c, err := editPlace(p, dry, p.settings.uninstall)
	if err != nil || dry {
		return c, err
	}
	if a.Home.Skills != "" {
		_ = os.Remove(filepath.Dir(p.path)) // the skill's own folder, if nothing else is in it
	}
	return c, s.remember(a.Name, true)
}

// editPlace changes one file.
func editPlace(p place, dry bool, change func([]byte) ([]byte, error)) ([]Change, error) {
	c, err := editFile(p.path, dry, func(file []byte) ([]byte, error) {
		after, err := change(file)
		if err != nil {
			return nil, malformed(p.path, err)
		}
		return after, nil
	})
	if err != nil || !c.changes() {
		return nil, err
	}
	return []Change{c}, nil
}

// SkillRemoved reports whether a person has taken the agent's skill out.
func (a Agent) SkillRemoved(s Site) bool {
	file, _ := readSettings(s.Removed)
	return slices.Contains(strings.Fields(string(file)), a.Name)
}

// remember keeps, or forgets, that an agent's skill was taken out.
func (s Site) remember(agent string, removed bool) error {
	_, err := editFile(s.Removed, false, func(file []byte) ([]byte, error) {
		names := slices.DeleteFunc(strings.Fields(string(file)), func(n string) bool { return n == agent })
		if removed {
			names = append(names, agent)
		}
		if len(names) == 0 {
			return nil, nil
		}
		return []byte(strings.Join(names, "\n") + "\n"), nil
	})
	return err
}

// skillVersion is the mark on what this build writes. It grows when an older deck
// could not take out what a newer one writes.
const skillVersion = 1

// skillMark is the line that says whose a text is, and by a sum whether somebody
// has changed it since.
func skillMark(text []byte) string {
	return fmt.Sprintf("<!-- deck skill %d %s: \"deck skill install --remove\" takes this out -->\n", skillVersion, skillSum(text))
}

func skillSum(text []byte) string {
	sum := sha256.Sum256(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	return fmt.Sprintf("%x", sum[:6])
}

var skillLine = regexp.MustCompile(`(?m)^<!-- deck skill ([1-9][0-9]{0,5}) ([0-9a-f]{12}): [^\n]*-->\r?\n`)

// errEdited is a skill that is not as deck wrote it.
var errEdited = errors.New("deck's text in it was edited; take it out by hand first")

// skillFile is a file that is deck's skill as a whole.
type skillFile struct{}

func (f skillFile) install(file []byte) ([]byte, error) {
	if err := f.own(file); err != nil {
		return nil, err
	}
	return slices.Concat([]byte(skillHead), []byte(skillMark(slices.Concat([]byte(skillHead), skillText))), skillText), nil
}

func (f skillFile) uninstall(file []byte) ([]byte, error) { return nil, f.own(file) }

// own reports what keeps deck from replacing a file.
func (skillFile) own(file []byte) error {
	if file == nil {
		return nil
	}
	m := skillLine.FindSubmatchIndex(file)
	switch {
	case m == nil:
		return errors.New("deck did not write it")
	case skillSum(slices.Concat(file[:m[0]], file[m[1]:])) != string(file[m[4]:m[5]]):
		return errEdited
	}
	return nil
}

func (skillFile) version(file []byte) (int, error) {
	m := skillLine.FindSubmatch(file)
	if m == nil {
		return 0, nil
	}
	return strconv.Atoi(string(m[1]))
}

// skillBlock is deck's part of a file of instructions: at its end, two line ends
// after what was there, so that taking it out leaves that as it was. Whatever is
// written behind it stays.
type skillBlock struct{}

const skillEnd = "<!-- deck skill end -->"

var skillBlockEnd = regexp.MustCompile(`(?m)^` + skillEnd + `(\r?\n|\z)`)

func (b skillBlock) install(file []byte) ([]byte, error) {
	before, after, there, err := b.cut(file)
	if err != nil {
		return nil, err
	}
	nl := lineEnd(file)
	text := slices.Concat([]byte(skillMark(skillText)), skillText, []byte(skillEnd+"\n"))
	if nl != "\n" {
		text = bytes.ReplaceAll(text, []byte("\n"), []byte(nl))
	}
	if !there && file != nil {
		before = append(slices.Clone(before), nl+nl...)
	}
	return slices.Concat(before, text, after), nil
}

func (b skillBlock) uninstall(file []byte) ([]byte, error) {
	before, after, there, err := b.cut(file)
	if err != nil || !there {
		return file, err
	}
	if len(before) == 0 && len(after) == 0 {
		return nil, nil
	}
	return append(cutLineEnd(cutLineEnd(before)), after...), nil
}

// cut splits a file where the block is; without one all of it is before.
func (skillBlock) cut(file []byte) (before, after []byte, there bool, err error) {
	if !utf8.Valid(file) {
		return nil, nil, false, errors.New("it is not UTF-8 text")
	}
	m := skillLine.FindSubmatchIndex(file)
	if m == nil {
		return file, nil, false, nil
	}
	rest := file[m[1]:]
	end := skillBlockEnd.FindIndex(rest)
	switch {
	case end == nil || skillLine.Match(rest):
		return nil, nil, false, errEdited
	case skillSum(rest[:end[0]]) != string(file[m[4]:m[5]]):
		return nil, nil, false, errEdited
	}
	return slices.Clone(file[:m[0]]), rest[end[1]:], true, nil
}

func (skillBlock) version(file []byte) (int, error) { return skillFile{}.version(file) }
