package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"deck/hooks"
	"deck/term/layout"
	"deck/term/wire"
)

// launch is how a pane's agent is started, the first time and again.
type launch struct {
	agent   hooks.Agent
	program string   // what is run for the agent's command: its path where it was given by one
	args    []string // the person's own
	model   string
	system  string   // of its definition
	tools   []string // that it is held to
}

// launching is one start of an agent. The loop makes it; whoever starts the
// program fills in what came of it.
type launching struct {
	launch
	session  string // native session to go on with, empty for a new one
	folder   string // of generated files, empty where nothing can be kept
	reporter string // program that the agent's hooks call
	answer   bool   // a person may answer from deck
	context  bool   // it begins with what its project remembers
	kickoff  string // first prompt, empty for none
}

// launchOf finds the program of the agent that a new pane is to have, and the
// session that it goes on with; nil for a pane with a command. It looks at files
// and runs outside of the loop.
func (l *loop) launchOf(ctx context.Context, n wire.NewPane) (*launching, error) {
	if n.Launch == nil {
		return nil, nil
	}
	env := n.Env
	if len(env) == 0 {
		env = l.o.env
	}
	agent, ok := hooks.Lookup(n.Launch.Agent)
	if !ok {
		return nil, &wire.Error{Code: wire.CodeAgentNotFound, Message: "no such agent: " + cleanText(n.Launch.Agent, maxLabel),
			Hint: foundHere(env)}
	}
	if !slices.ContainsFunc(installed(env), func(a hooks.Agent) bool { return a.Name == agent.Name }) {
		return nil, &wire.Error{Code: wire.CodeAgentNotFound, Message: fmt.Sprintf("%s is not on your PATH: there is no program %s", agent.Title, agent.Command),
			Hint: foundHere(env)}
	}
	if n.Launch.System != "" && !agent.TakesSystem() || n.Launch.Tools != nil && !agent.TakesTools() {
		return nil, invalid("%s takes no such argument", agent.Title)
	}
	g := &launching{launch: launch{agent: agent, program: agent.Command, args: slices.Clone(n.Launch.Args), model: n.Launch.Model,
		system: n.Launch.System, tools: n.Launch.Tools}, kickoff: n.Launch.Kickoff}
	if n.Launch.Resume {
		var err error
		if g.session, err = l.lastSession(ctx, agent, n.Dir, env); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// installed returns the agents whose programs are on the PATH of an
// environment.
func installed(env []string) []hooks.Agent {
	return hooks.Installed(envValue(env, "PATH"), executable)
}

// executable reports whether a file can be run, as far as its mode tells.
func executable(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// foundHere is the hint that names the agents that could be started.
func foundHere(env []string) string {
	var names []string
	for _, a := range installed(env) {
		names = append(names, a.Name)
	}
	if len(names) == 0 {
		return "install an agent first; none that deck knows is on your PATH"
	}
	return "found on your PATH: " + strings.Join(names, ", ")
}

// planLaunch makes a plan one of an agent.
func (l *loop) planLaunch(pl *plan, g *launching) {
	pl.launch = g
	pl.pane.launch = &g.launch
	pl.pane.command = append([]string{g.program}, g.args...)
	l.equip(g, pl.pane.id)
}

// equip says where this start's files go and who its hooks call.
func (l *loop) equip(g *launching, id layout.PaneID) {
	if l.o.state != "" {
		g.folder = filepath.Join(paneFolders(l.o.state), string(id))
	}
	g.reporter, g.answer, g.context = l.o.reporter, l.config.AnswerFromDeck, l.config.ContextInAgents
}

// paneFolders is where the generated files of all panes are.
func paneFolders(state string) string { return state + ".panes" }

// prepare settles what is run: arguments, variables, and the files that are
// written for it. An agent whose files cannot be written runs without a
// reporter: its screen tells what it does.
func (pl *plan) prepare(dir string, log *slog.Logger) (argv, env []string) {
	g := pl.launch
	if g.session != "" {
		pl.resumed = g.session
		switch exists, known := g.exists(dir, pl.base); {
		case !g.agent.CanResume():
			pl.resumed, pl.note = "", g.agent.Title+" can't go on with a session"
		case known && !exists:
			pl.resumed, pl.note = "", "there is no session to go on with"
		}
	}
	h := hooks.Launch{Args: g.args, Model: g.model, System: g.system, Tools: g.tools, Session: pl.resumed, Kickoff: g.kickoff, Fresh: newUUID(), Reporter: g.reporter, Folder: g.folder, Answer: g.answer, Context: g.context,
		Getenv: func(name string) string { return envValue(pl.base, name) }}
	p, err := g.write(h)
	if err != nil {
		log.Warn("agent started without a reporter", "agent", g.agent.Name, "err", err)
		h.Reporter, h.Answer = "", false
		p = g.agent.Start(h)
	}
	pl.chosen = p.Session
	if len(p.Argv) > 0 {
		p.Argv[0] = g.program
	}
	return p.Argv, p.Env
}

// exists looks for the session that is to go on.
func (g *launching) exists(dir string, env []string) (exists, known bool) {
	return g.agent.SessionExists(agentHome(g.agent, env), dir, g.session)
}

// agentHome is the folder of an agent's own files in an environment.
func agentHome(a hooks.Agent, env []string) string {
	return a.Home.Path(envValue(env, "HOME"), func(name string) string { return envValue(env, name) })
}

// write plans a start with a reporter, and writes its files.
func (g *launching) write(h hooks.Launch) (hooks.Plan, error) {
	if g.folder == "" || g.reporter == "" {
		return hooks.Plan{}, errors.New("there is no place for its files")
	}
	if err := ownFolder(filepath.Dir(g.folder)); err != nil {
		return hooks.Plan{}, err
	}
	if err := ownFolder(g.folder); err != nil {
		return hooks.Plan{}, err
	}
	p := g.agent.Start(h)
	for path, content := range p.Files {
		rel, err := filepath.Rel(g.folder, path)
		if err != nil || !filepath.IsLocal(rel) {
			return p, errors.New("a generated file is outside of deck's folder")
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return p, err
		}
		if err := writeWhole(path, content); err != nil {
			return p, err
		}
	}
	return p, nil
}

// ownFolder makes a folder where it is missing, and refuses one that somebody
// else could put files into.
func ownFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("not a folder: %s", dir)
	case ownerOf(info) != os.Getuid():
		return fmt.Errorf("the folder belongs to another user: %s", dir)
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("others can write to the folder: %s", dir)
	}
	return nil
}

// writeWhole puts a file in its place whole: nobody ever reads half of it, and
// a link in its place is replaced.
func writeWhole(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// dropFiles removes what was generated for a pane, outside of the loop.
func (l *loop) dropFiles(p *pane) {
	if p.launch == nil || l.o.state == "" {
		return
	}
	folder := filepath.Join(paneFolders(l.o.state), string(p.id))
	l.aside(func() {
		if err := os.RemoveAll(folder); err != nil {
			l.log.Warn("generated files stay", "pane", string(p.id), "err", err)
		}
	})
}

// sweepFiles removes what was generated for the panes of a server that ended.
func sweepFiles(state string) error {
	if state == "" {
		return nil
	}
	return os.RemoveAll(paneFolders(state))
}

// newUUID returns a random UUID (RFC 9562, version 4).
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
