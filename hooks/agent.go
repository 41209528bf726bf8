package hooks

import (
	"cmp"
	"path/filepath"
	"slices"
	"time"
)

// Agent is what deck knows of one agent program. Function fields are nil where
// the agent has no such thing; everything then falls back to what works for any
// program.
type Agent struct {
	Name     string            // on the wire: "claude"
	Title    string            // for people: "Claude Code"
	Command  string            // executable looked for on PATH
	Programs []string          // further names its process, script or package goes by
	Models   map[string]string // small, medium, large → the agent's own name
	Home     Home              // where its own files are
	Composer Composer          // how a prompt is typed into it

	// Events are the names of the hooks that report something of use, as they
	// are written in its settings; empty for an agent without hooks.
	Events []string

	system    string // flag of a text that is added to its system prompt
	tools     string // flag of the tools that it may use, with commas between
	start     func(Launch) Plan
	resume    func(session string) []string // arguments after the command
	exists    func(home string, dir, session string) (exists, known bool)
	translate func(event string, p payload) Outcome
	shared    func(argv []string) bool // a process whose hooks run for every pane
	usage     func(tail []byte) int    // percentage of the context used, by the end of a transcript
	context   func(text string) []byte // what the hook of a session's start prints for the session to begin with
}

// Home says where an agent keeps its files.
type Home struct {
	Env          string // variable that moves the folder, empty for none
	Below        string // the folder below what Env names, empty where that is the folder
	Folder       string // relative to the person's home: ".claude"
	Instructions string // global instructions, relative to the folder; empty for none
	Skills       string // folder of skills, relative to the folder; empty for none
}

// Path is the agent's own folder, for a person's home and environment.
func (h Home) Path(home string, getenv func(string) string) string {
	if h.Env != "" {
		if dir := getenv(h.Env); filepath.IsAbs(dir) {
			return filepath.Join(dir, h.Below)
		}
	}
	return filepath.Join(home, h.Folder)
}

// Composer says how a prompt is typed.
type Composer struct {
	// Pause is the time between a pasted prompt and Enter: an Enter that comes
	// with the paste is taken for a part of it.
	Pause time.Duration
}

// Launch is how a program of an agent is to be started.
type Launch struct {
	Args     []string            // the person's own arguments
	Model    string              // a tier or the agent's own name, empty for its default
	Session  string              // native session to go on with, empty for a new one
	Fresh    string              // a UUID that a new session may take as its id; empty lets the agent choose
	Kickoff  string              // first prompt, empty for none
	System   string              // added to its system prompt, where TakesSystem
	Tools    []string            // those that it may use, nil for all
	Reporter string              // absolute path of the program that serves "hook AGENT [EVENT]"; empty for no reporter
	Folder   string              // deck's own folder for this pane's generated files, there and 0700
	Answer   bool                // permission hooks wait for a person's answer from deck
	Context  bool                // sessions begin with what the project remembers
	Getenv   func(string) string // the pane's environment; nil for an empty one
}

// Plan is what is to be run.
type Plan struct {
	Argv    []string          // argv[0] is the agent's command
	Env     []string          // KEY=VALUE, added to the pane's
	Files   map[string][]byte // absolute path → content, written 0600 before the start
	Session string            // native session id that was chosen, empty until it is reported
}

// AnswerEnv is the variable that tells a reporter that a person answers
// permission requests from deck.
const AnswerEnv = "DECK_ANSWER"

// Start plans the start of an agent with its reporter. It reads and writes
// nothing.
func (a Agent) Start(l Launch) Plan {
	if m, ok := a.Models[l.Model]; ok {
		l.Model = m
	} else if slices.Contains(tiers, l.Model) {
		l.Model = ""
	}
	if has(l.Args, "--model -m") {
		l.Model = "" // some take it once
	}
	if l.Session = asID(l.Session); a.resume == nil {
		l.Session = ""
	}
	if l.Getenv == nil {
		l.Getenv = func(string) string { return "" }
	}
	p := Plan{Argv: l.Args}
	if a.start != nil {
		p = a.start(l)
	}
	p.Argv = slices.Concat([]string{a.Command}, a.part(l), p.Argv)
	if l.Answer && slices.Contains(p.Env, injected(a.Name)) {
		p.Env = append(p.Env, AnswerEnv+"=1")
	}
	if l.Context && a.TakesContext() {
		p.Env = append(p.Env, ContextEnv+"=1")
	}
	p.Session = cmp.Or(l.Session, p.Session)
	return p
}

// tiers are the sizes of models that every agent's are sorted into.
var tiers = []string{"small", "medium", "large"}

// TakesKickoff reports whether the agent can be started with a first prompt.
func (a Agent) TakesKickoff() bool { return a.start != nil }

// CanReport reports whether the agent tells by hooks what it does.
func (a Agent) CanReport() bool { return a.translate != nil }

// CanResume reports whether a session of the agent can be gone on with.
func (a Agent) CanResume() bool { return a.resume != nil }

// ResumeArgv is what goes on with a session: the bare command and arguments, nil
// where the agent cannot.
func (a Agent) ResumeArgv(session string) []string {
	if a.resume == nil || asID(session) == "" {
		return nil
	}
	return slices.Concat([]string{a.Command}, a.resume(session))
}

// SessionExists looks whether a session can be gone on with. home is the agent's
// own folder (Home.Path), dir the folder it ran in. known is false where only
// the agent could tell.
func (a Agent) SessionExists(home, dir, session string) (exists, known bool) {
	if a.exists == nil || asID(session) == "" {
		return false, false
	}
	return a.exists(home, dir, session)
}

// agents are all that are known, in the order in which people are shown them.
var agents = []Agent{
	claude(), codex(), gemini(), opencode(), qwen(), pi(), copilot(),
	plain("crush", "Crush"), plain("cursor-agent", "Cursor"),
	plain("amp", "Amp").at(Home{Folder: ".config/amp", Instructions: "AGENTS.md"}),
	plain("droid", "Droid").at(Home{Folder: ".factory", Instructions: "AGENTS.md", Skills: "skills"}),
	plain("aider", "Aider"),
	plain("goose", "Goose").at(Home{Env: "XDG_CONFIG_HOME", Below: "goose", Folder: ".config/goose", Instructions: ".goosehints"}),
	plain("kiro-cli", "Kiro").named("kiro", "kiro"),
	plain("devin", "Devin"), plain("cline", "Cline"), plain("auggie", "Auggie"), plain("kimi", "Kimi"),
}

// plain is an agent that is known by its screen alone.
func plain(command, title string) Agent {
	return Agent{Name: command, Title: title, Command: command, Composer: Composer{Pause: enterPause}}
}

// named gives an agent another name than its command, and more programs.
func (a Agent) named(name string, programs ...string) Agent {
	a.Name, a.Programs = name, programs
	return a
}

// at says where an agent keeps its files.
func (a Agent) at(h Home) Agent {
	a.Home = h
	return a
}

// enterPause is the pause of agents that do not say otherwise.
const enterPause = 150 * time.Millisecond

// Agents returns every agent that is known, in the order in which people are
// shown them.
func Agents() []Agent { return slices.Clone(agents) }

// Lookup returns the agent of a name.
func Lookup(name string) (Agent, bool) {
	i := slices.IndexFunc(agents, func(a Agent) bool { return a.Name == name })
	if i < 0 {
		return Agent{}, false
	}
	return agents[i], true
}

// Installed returns the agents whose command is found on a PATH, by what
// executable says of a path.
func Installed(path string, executable func(file string) bool) []Agent {
	var found []Agent
	for _, a := range agents {
		for _, dir := range filepath.SplitList(path) {
			if filepath.IsAbs(dir) && executable(filepath.Join(dir, a.Command)) {
				found = append(found, a)
				break
			}
		}
	}
	return found
}
