package hooks

import (
	"path/filepath"
	"slices"
	"strings"
)

// programs maps the names under which agents run to the names they go by.
var programs = func() map[string]string {
	names := map[string]string{}
	for _, a := range agents {
		for _, n := range append([]string{a.Name, a.Command}, a.Programs...) {
			names[n] = a.Name
		}
	}
	return names
}()

// interpreters run agents that are scripts; their option with an argument of
// its own would be taken for the script, so the few that take one are known.
var interpreters = map[string]bool{
	"node": true, "nodejs": true, "bun": true, "deno": true, "python": true, "ruby": true,
}

// Recognize returns the name of the agent that a process is, by its name and
// its arguments, or "" for any other program. Of an interpreter only the script
// it runs counts, so that a file name among the arguments of an editor or a
// shell makes it no agent.
func Recognize(comm string, argv []string) (agent string) {
	if a := programs[base(comm)]; a != "" {
		return a
	}
	if len(argv) == 0 {
		return ""
	}
	name := base(argv[0])
	if a := programs[name]; a != "" {
		return a
	}
	// deck's own sample agents are recognised by their verb: "demo" is what many
	// a program is called.
	if name == "deck" && len(argv) > 1 && argv[1] == "demo-agent" {
		return "demo"
	}
	if !isInterpreter(name) && !isInterpreter(base(comm)) {
		return ""
	}
	return ofScript(script(argv[1:]))
}

// isInterpreter takes versions in the name as they come: python3, python3.12.
func isInterpreter(name string) bool {
	return interpreters[name] || interpreters[strings.TrimRight(name, "0123456789.")]
}

// script returns the script among an interpreter's arguments, or the module of
// python -m.
func script(args []string) string {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-m" && i+1 < len(args):
			return args[i+1]
		case a == "-c" || a == "-e" || a == "--eval" || a == "-p":
			return ""
		case a == "-r" || a == "--require" || a == "--import" || a == "--loader" || a == "-W" || a == "-X":
			i++
		case a == "run" && i == 0:
		case !strings.HasPrefix(a, "-"):
			return a
		}
	}
	return ""
}

// entryNames are what packages call the file they start with; the agent is then
// named by the folder around it.
var entryNames = map[string]bool{
	"index": true, "cli": true, "main": true, "__main__": true, "bin": true, "dist": true, "build": true, "bundle": true,
	"src": true, "lib": true, "start": true, "loader": true, "npm-loader": true,
}

// ofScript recognises an agent by its script's name, or by the package folder
// that a script with an everyday name lies in.
func ofScript(path string) string {
	if path == "" {
		return ""
	}
	name := base(path)
	for _, ext := range []string{".js", ".mjs", ".cjs", ".ts", ".py"} {
		name = strings.TrimSuffix(name, ext)
	}
	if a := programs[name]; a != "" {
		return a
	}
	for dir := filepath.Dir(path); entryNames[name]; dir = filepath.Dir(dir) {
		if name = base(dir); programs[name] != "" {
			return programs[name]
		}
	}
	return ""
}

// base is the name of a program, whatever folder it is in; a login shell's has
// a dash in front.
func base(path string) string { return strings.TrimPrefix(filepath.Base(path), "-") }

// Shared reports whether a process runs the hooks of every session of an agent,
// with the environment of whichever started it: what it tells may be of another
// pane.
func Shared(argv []string) bool {
	return slices.ContainsFunc(agents, func(a Agent) bool { return a.shared != nil && a.shared(argv) })
}
