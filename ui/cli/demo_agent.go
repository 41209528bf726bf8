package cli

import (
	"slices"
	"strings"

	"deck/lifecycle"
)

// demoVerb starts a sample agent; by it they are recognised as the agent of
// demoAgentName.
const (
	demoVerb      = "demo-agent"
	demoAgentName = "demo"
)

// The roles: how a sample agent says what it is doing.
const (
	roleStatus = "status" // in-band
	roleScreen = "screen" // not at all: its screen can be read
	roleReport = "report" // through the socket
	roleDies   = "dies"   // not at all, and it ends
)

// demoScripts are what each role does when nothing else is asked of it.
var demoScripts = map[string]string{
	roleStatus: "work ask work question work",
	roleScreen: "work work question work ask work",
	roleReport: "work work work ask work fail",
	roleDies:   "work work die",
}

// demoSteps are what a sample agent can be told to do.
var demoSteps = []string{
	"work",     // runs two tools
	"hold",     // works until Enter
	"ask",      // asks for approval
	"question", // asks a question
	"fail",     // ends the turn with an error
	"done",     // ends the turn
	"exit",     // ends well
	"die",      // ends badly
}

// demoSaid is what a sample agent says of itself.
type demoSaid struct {
	state   lifecycle.State
	reason  string
	message string // what it asks, or what went wrong
}

// demo is a sample agent without its terminal: keys and ticks go in, rows come
// out. Its time are ticks, so that it does the same at any speed.
type demo struct {
	role   string
	todo   []string // steps after the one at work
	step   string   // at work; empty at the input line
	ticks  int      // since the step began
	turns  int
	log    []string // what it has said and done
	draft  string   // typed and not sent
	choice int      // of a dialog, counted from 0
	said   demoSaid
	ended  bool
	code   int // its exit status
}

// newDemo makes a sample agent that begins with steps, or with those of its
// role.
func newDemo(role string, steps []string) (*demo, error) {
	script, ok := demoScripts[role]
	if !ok {
		return nil, usagef("unknown role: %s", role)
	}
	if len(steps) == 0 {
		steps = strings.Fields(script)
	}
	for _, s := range steps {
		if !slices.Contains(demoSteps, s) {
			return nil, &usageError{"unknown step: " + s, "it is one of " + strings.Join(demoSteps, ", ")}
		}
	}
	d := &demo{role: role}
	d.turn("make the parser pass its tests", steps)
	return d, nil
}

// actTicks is how long a tool runs; a step of work runs two of them after as
// long a thought.
const actTicks = 15

// demoActs are what work looks like.
var demoActs = []string{
	"Read(parser.go)\n120 lines", "Update(parser.go)\n12 lines added, 3 removed",
	"Search(func parse)\n4 files", "Bash(go vet ./...)\nno output",
}

// turn begins what a person has asked for.
func (d *demo) turn(prompt string, steps []string) {
	d.turns++
	d.say("> "+prompt, "")
	d.todo = steps
	d.next()
}

// next goes on with the next step, or ends the turn.
func (d *demo) next() {
	d.step, d.ticks, d.choice = "", 0, 0
	if len(d.todo) == 0 {
		d.end("● Done. The tests pass.", demoSaid{state: lifecycle.Done})
		return
	}
	d.step, d.todo = d.todo[0], d.todo[1:]
	switch d.step {
	case "work", "hold":
		d.said = demoSaid{state: lifecycle.Working}
	case "ask":
		d.said = demoSaid{lifecycle.NeedsInput, lifecycle.Approval, "approve Bash: " + demoCommand}
	case "question":
		d.said = demoSaid{lifecycle.NeedsInput, lifecycle.Question, demoQuestion}
	case "fail":
		d.end("✗ the model is overloaded", demoSaid{lifecycle.Blocked, lifecycle.ToolError, "the model is overloaded"})
	case "done":
		d.todo = nil
		d.next()
	case "exit", "die":
		d.ended = true
		if d.step == "die" {
			d.code = 1
			d.say("panic: this sample agent dies on purpose")
		}
	}
}

// end ends the turn with a last line.
func (d *demo) end(line string, said demoSaid) {
	d.step, d.todo, d.said = "", nil, said
	d.say(line, "")
}

func (d *demo) say(lines ...string) { d.log = append(d.log, lines...) }

// busy says whether time goes on for it.
func (d *demo) busy() bool { return d.step == "work" || d.step == "hold" }

// tick is that a tenth of a second has passed, of its own time.
func (d *demo) tick() {
	if !d.busy() {
		return
	}
	d.ticks++
	if d.step != "work" || d.ticks%actTicks != 0 {
		return
	}
	act := d.ticks / actTicks
	if act > 2 {
		d.next()
		return
	}
	name, result, _ := strings.Cut(demoActs[(2*d.turns+2*len(d.todo)+act)%len(demoActs)], "\n")
	d.say("● "+name, "  ⎿ "+result, "")
}

// The keys that mean something to a sample agent besides text.
const (
	demoEnter     = "\r"
	demoEscape    = "\x1b"
	demoInterrupt = "\x03"
	demoBackspace = "\x7f"
	demoUp        = "\x1b[A"
	demoDown      = "\x1b[B"
)

// key takes one key.
func (d *demo) key(k string) {
	switch {
	case d.step == "ask" || d.step == "question":
		d.dialogKey(k)
	case d.busy() && (k == demoEscape || k == demoInterrupt):
		d.end("  ⎿ interrupted", demoSaid{state: lifecycle.Idle})
	case d.step == "hold" && k == demoEnter:
		d.next()
	case k == demoInterrupt && d.draft == "":
		d.ended = true
	case k == demoInterrupt || k == demoEscape:
		d.draft = ""
	case k == demoBackspace:
		if r := []rune(d.draft); len(r) > 0 {
			d.draft = string(r[:len(r)-1])
		}
	case k == demoEnter:
		if !d.busy() && strings.TrimSpace(d.draft) != "" {
			d.send()
		}
	case k[0] >= ' ' && k[0] != 0x7f:
		d.draft += k
	}
}

// send begins a turn with what was typed: its steps where it is nothing but
// steps.
func (d *demo) send() {
	steps := strings.Fields(d.draft)
	for _, s := range steps {
		if !slices.Contains(demoSteps, s) {
			steps = []string{"work"}
			break
		}
	}
	prompt := strings.TrimSpace(d.draft)
	d.draft = ""
	d.turn(prompt, steps)
}

// dialogKey takes a key while a dialog waits: a number answers at once, Enter
// takes what is chosen, Esc refuses.
func (d *demo) dialogKey(k string) {
	switch k {
	case demoUp, demoDown:
		d.choice = 1 - d.choice
	case "1", "2":
		d.answer(int(k[0] - '1'))
	case demoEnter:
		d.answer(d.choice)
	case demoEscape, demoInterrupt:
		if d.step == "ask" {
			d.answer(1)
			return
		}
		d.end("  ⎿ not answered", demoSaid{state: lifecycle.Idle})
	}
}

// answer takes the answer to a dialog.
func (d *demo) answer(choice int) {
	switch {
	case d.step == "question":
		d.say("● "+demoQuestion, "  ⎿ "+demoNames[choice], "")
		d.next()
	case choice == 0:
		d.say("● Bash("+demoCommand+")", "  ⎿ ok", "")
		d.next()
	default:
		d.say("● Bash(" + demoCommand + ")")
		d.end("  ⎿ denied", demoSaid{state: lifecycle.Idle})
	}
}
