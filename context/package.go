package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Budgets of a context package.
const (
	DefaultTokens = 1500 // for whoever asks
	HookBytes     = 2000 // agents show no more of what a hook prints at their start
)

// Budget bounds a package: by bytes if Bytes is set, else by estimated tokens.
type Budget struct{ Tokens, Bytes int }

// cost measures text in the budget's unit. Tokens are an estimate, so a tenth
// is kept back.
func (b Budget) cost(s string) int {
	if b.Bytes > 0 {
		return len(s)
	}
	n := Tokens(s)
	return n + (n+9)/10
}

func (b Budget) size() int {
	switch {
	case b.Bytes > 0:
		return b.Bytes
	case b.Tokens > 0:
		return b.Tokens
	}
	return DefaultTokens
}

// Known is a note as a package shows it.
type Known struct {
	Note
	Freshness Freshness
	Now       string  // where its first moved source is
	Project   string  // name, if it is of another project
	Score     float64 // what tells the important from the rest; the newer wins a draw
}

// PackageInput is all that a package is made of.
type PackageInput struct {
	Project  string // its name
	Place    Place
	Task     Task // the zero value: none
	Notes    []Known
	More     map[Kind]int // notes that are not among them
	Handoffs []Handoff
	Events   []Event
	Dirty    []string // changed files as git prints them: "M a.go"
	Now      time.Time
}

// Package is what an agent should know at its start, as text within a budget:
// the task first, then how the checkout stands, what was handed over, decisions,
// knowledge, events. The least important goes first, and the last line says what
// was left out, and so does the number. The same input gives the same text.
func Package(in PackageInput, b Budget) (text string, leftOut int) {
	p := packer{in: in, budget: b, room: b.size()}
	p.room -= b.cost(p.leftOut(99999, 999, 999)) // the last line comes whatever else does
	p.head()
	p.handoffs()
	p.choose()
	return p.text()
}

// packer fills a budget.
type packer struct {
	in     PackageInput
	budget Budget
	room   int
	fixed  strings.Builder // header, task, state, hand-offs
	items  []item
	lost   int // hand-offs that did not fit
}

// item is a line that may be in or out, in one of several lengths.
type item struct {
	section int
	forms   []string // from the shortest to the longest
	form    int      // -1: out
}

// The sections of what is chosen, with the shares of the room that each gets before
// the others may have what it leaves.
var sections = []struct {
	title string
	share float64
}{{"Decisions", 0.35}, {"Knowledge", 0.45}, {"Events", 0.2}}

const (
	decisions = iota
	knowledge
	events
	sectionCount
)

// put writes what has to be there, cut to what room there is.
func (p *packer) put(s string) bool {
	n := p.budget.cost(s)
	if n > p.room {
		return false
	}
	p.room -= n
	p.fixed.WriteString(s)
	return true
}

// head writes the header, the task and the state of the checkout.
func (p *packer) head() {
	in := p.in
	p.put(fmt.Sprintf("# Project memory of %s (notes of earlier sessions; may be out of date)\n", oneLine(in.Project, 80)))
	if in.Task.ID != "" || in.Task.Task != "" { // a state can be left without saying of what
		title := "\n## Task"
		if in.Task.Status != "" {
			title += " (" + oneLine(in.Task.Status, 40) + ", " + age(in.Now, in.Task.Updated) + ")"
		}
		p.put(title + "\n")
		if in.Task.Task != "" {
			p.shrink(in.Task.Task, 2)
		}
		for _, f := range [][2]string{{"Next", in.Task.Next}, {"Step", in.Task.Step}, {"Error", in.Task.Error}, {"Tests", in.Task.Tests}} {
			if f[1] != "" && !p.put(f[0]+": "+oneLine(f[1], 400)+"\n") {
				p.shrink(f[0]+": "+oneLine(f[1], 400), 4)
			}
		}
	}
	if !in.Place.Git {
		return
	}
	branch := in.Place.Branch
	if branch == "" {
		branch = "(detached)"
	}
	line := "Git: " + oneLine(branch, 80)
	if in.Place.Commit != "" {
		line += " at " + cutAt(in.Place.Commit, 8)
	}
	p.put("\n" + line + p.dirty() + "\n")
}

// shrink writes text, cut to a part of the room if it does not fit whole.
func (p *packer) shrink(text string, part int) {
	text = strings.TrimSpace(text)
	if p.budget.cost(text+"\n") <= p.room*3/4 {
		p.put(text + "\n")
		return
	}
	runes := []rune(text)
	lo, hi := 0, len(runes)
	for lo < hi { // the longest beginning that fits
		mid := (lo + hi + 1) / 2
		if p.budget.cost(string(runes[:mid])+" …\n") <= p.room/part {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	p.put(strings.TrimSpace(string(runes[:lo])) + " …\n")
}

// dirty lists changed files, some of them.
func (p *packer) dirty() string {
	const shown = 8
	var names []string
	for _, f := range p.in.Dirty {
		if _, name, _ := strings.Cut(strings.TrimSpace(f), " "); !Sensitive(name) {
			names = append(names, oneLine(f, 100))
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	more := ""
	if n := len(names) - shown; n > 0 {
		names, more = names[:shown], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("; changed: %s%s", strings.Join(names, ", "), more)
}

// handoffs writes what was handed over, newest first, in at most a quarter of the room.
func (p *packer) handoffs() {
	list := slices.Clone(p.in.Handoffs)
	slices.SortFunc(list, func(a, b Handoff) int { return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(a.ID, b.ID)) })
	share := p.room / 4
	for i, h := range list {
		line := fmt.Sprintf("- %s%s (%s): %s\n", who(h.From), to(h.To), age(p.in.Now, h.Updated), oneLine(cmp.Or(h.Title, h.Text), 240))
		if i == 0 {
			line = "\n## Handed over\n" + line
		}
		n := p.budget.cost(line)
		if n > share || !p.put(line) {
			p.lost = len(list) - i
			return
		}
		share -= n
	}
}

func who(a Author) string { return cmp.Or(a.Nick, a.Agent, "a person") }

func to(name string) string {
	if name == "" {
		return ""
	}
	return " to " + oneLine(name, 40)
}

// choose decides which notes and events are in, and how long: half of the room
// for as many as fit in a line each, then the most important ones with a
// sentence, then more lines, then more text.
func (p *packer) choose() {
	p.collect()
	whole := p.room
	spent := func(part float64) int { return p.room - int(float64(whole)*(1-part)) } // what may be spent up to a part of the whole
	p.lines(whole, spent(0.5))
	p.longer(1, spent(0.8))
	p.lines(whole, p.room)
	p.longer(1, p.room)
	p.longer(2, p.room)
}

// lines takes items in with a line each, first within their sections' shares of
// the whole, then wherever there is room.
func (p *packer) lines(whole, room int) {
	var used [sectionCount]int
	for _, it := range p.items {
		if it.form >= 0 {
			used[it.section] += p.budget.cost(it.line(it.form, used[it.section] == 0))
		}
	}
	for _, shared := range []bool{true, false} {
		for i := range p.items {
			it := &p.items[i]
			n := p.budget.cost(it.line(0, used[it.section] == 0))
			if it.form >= 0 || n > room || shared && used[it.section]+n > int(float64(whole)*sections[it.section].share) {
				continue
			}
			it.form, used[it.section] = 0, used[it.section]+n
			room, p.room = room-n, p.room-n
		}
	}
}

// longer gives items their next form, the most important first.
func (p *packer) longer(form, room int) {
	for i := range p.items {
		it := &p.items[i]
		if it.form != form-1 || form >= len(it.forms) {
			continue
		}
		if n := p.budget.cost(it.forms[form]) - p.budget.cost(it.forms[form-1]); n <= room {
			it.form, room, p.room = form, room-n, p.room-n
		}
	}
}

// line is what an item costs at first: with its section's title if it is the first of it.
func (it item) line(form int, first bool) string {
	if first {
		return "\n## " + sections[it.section].title + "\n" + it.forms[form]
	}
	return it.forms[form]
}

// collect makes items of notes and events, the most important first.
func (p *packer) collect() {
	notes := slices.Clone(p.in.Notes)
	slices.SortFunc(notes, func(a, b Known) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), b.Updated.Compare(a.Updated), cmp.Compare(a.ID, b.ID))
	})
	for _, n := range notes {
		section := knowledge
		if n.Kind == Decision {
			section = decisions
		}
		p.items = append(p.items, item{section: section, forms: noteForms(n, p.in.Now), form: -1})
	}
	evs := slices.DeleteFunc(slices.Clone(p.in.Events), Event.Stored)
	slices.SortFunc(evs, func(a, b Event) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.ID, a.ID)) })
	for _, e := range evs {
		what := who(e.Author)
		if e.Kind != "" {
			what += ", " + oneLine(e.Kind, 20)
		}
		line := fmt.Sprintf("- %s %s: %s\n", age(p.in.Now, e.At), what, oneLine(e.Text, 120))
		p.items = append(p.items, item{section: events, forms: []string{line}, form: -1})
	}
}

// noteForms are a note in one line, with its first sentence, and whole.
func noteForms(n Known, now time.Time) []string {
	about := []string{age(now, n.Updated)}
	if n.Status != "" && n.Status != New {
		about = append(about, strings.ToLower(string(n.Status)))
	}
	if n.Freshness != "" && n.Freshness != Fresh {
		word := string(n.Freshness)
		if n.Now != "" {
			word += " to " + n.Now
		}
		if n.Freshness == FileChanged || n.Freshness == Missing {
			word = "STALE: " + word
		}
		about = append(about, word)
	}
	if n.Project != "" {
		about = append(about, "of "+n.Project)
	}
	tail := " [" + strings.Join(about, ", ") + "]\n"
	id := n.Short
	if id != "" {
		id += " "
	}
	head := "- " + id + oneLine(n.Head(), 100)
	forms := []string{head + tail}
	text := strings.TrimSpace(n.Text)
	if n.Title == "" {
		if one := oneLine(text, 4000); one != oneLine(n.Head(), 100) {
			forms = append(forms, "- "+id+oneLine(text, 280)+tail, "- "+id+because(one, n)+files(n)+tail)
		} else if whole := because(head, n) + files(n); whole != head {
			forms = append(forms, whole+tail)
		}
		return forms
	}
	short, whole := head, head
	if text != "" && text != n.Title {
		short, whole = head+": "+sentence(text), head+": "+oneLine(text, 4000)
		forms = append(forms, short+tail)
	}
	if whole = because(whole, n) + files(n); whole != short {
		forms = append(forms, whole+tail)
	}
	return forms
}

// because ends a text as a sentence and adds a note's reason, if it has one.
func because(text string, n Known) string {
	if n.Reason == "" {
		return text
	}
	if !strings.ContainsRune(".!?…", lastRune(text)) {
		text += "."
	}
	return text + " Because: " + oneLine(n.Reason, 400)
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

func files(n Known) string {
	var names []string
	for _, f := range n.Files {
		name := f.Path
		if f.Lines != "" {
			name += ":" + f.Lines
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return ""
	}
	return " (" + strings.Join(names, ", ") + ")"
}

// sentence is the first sentence of a text, at most 240 characters.
func sentence(text string) string {
	s := oneLine(text, 240)
	for i := 20; i < len(s)-1; i++ {
		if (s[i] == '.' || s[i] == '!' || s[i] == '?') && s[i+1] == ' ' && !isDigit(s[i-1]) {
			return s[:i+1]
		}
	}
	return s
}

// oneLine makes one line of a text, at most limit characters.
func oneLine(text string, limit int) string {
	s := strings.Join(strings.Fields(text), " ")
	if r := []rune(s); len(r) > limit {
		return strings.TrimSpace(string(r[:limit-1])) + "…"
	}
	return s
}

// age says how long ago a time was, roughly.
func age(now, at time.Time) string {
	d := now.Sub(at)
	switch {
	case at.IsZero():
		return "undated"
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}

// text puts together what was chosen.
func (p *packer) text() (string, int) {
	var b strings.Builder
	b.WriteString(p.fixed.String())
	var out [sectionCount]int
	for section := range sections {
		first := true
		for _, it := range p.items {
			switch {
			case it.section != section:
			case it.form < 0:
				out[section]++
			default:
				b.WriteString(it.line(it.form, first))
				first = false
			}
		}
	}
	notes := out[decisions] + out[knowledge]
	for _, n := range p.in.More {
		notes += n
	}
	all := notes + out[events] + p.lost
	if all > 0 {
		b.WriteString(p.leftOut(notes, out[events], p.lost))
	}
	return b.String(), all
}

// leftOut is the last line.
func (p *packer) leftOut(notes, events, handoffs int) string {
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{handoffs, "hand-off"}, {notes, "note"}, {events, "event"}} {
		if c.n > 0 {
			parts = append(parts, counted(c.n, c.what))
		}
	}
	return "\nLeft out: " + strings.Join(parts, ", ") + ". `deck recall WORDS` finds them.\n"
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
