package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// taught are the commands of the skill as its text prints them: the lines of its
// blocks, and what stands between backquotes but the verbs that are only named there.
func taught(text string) (all []string) {
	block := regexp.MustCompile(`(?m)^ {4,}(\S.*)$`)
	for _, m := range block.FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	prose := strings.Join(strings.Fields(block.ReplaceAllString(text, "")), " ")
	for _, m := range regexp.MustCompile("`(deck [^`]+)`").FindAllStringSubmatch(prose, -1) {
		if m[1] != "deck prompt" && m[1] != "deck wait" {
			all = append(all, m[1])
		}
	}
	return all
}

// cmdDoes is "does [STATUS] COMMAND": the shell of an agent runs a command of the
// skill as its text prints it, with the handles, names and ids that the file names has
// for those of the text, and leaves what it prints in the files out and err. With
// "does all" every command of the text has been run.
func cmdDoes(ts *testscript.TestScript, neg bool, args []string) {
	text, err := os.ReadFile("hooks/skill.md")
	ts.Check(err)
	commands, state := taught(string(text)), ts.Value(stateKey{}).(*scriptState)
	if len(args) == 1 && args[0] == "all" {
		for _, c := range commands {
			if !state.done[c] {
				ts.Fatalf("nothing has run: %s", c)
			}
		}
		return
	}
	want := "0"
	if len(args) == 2 {
		want, args = args[0], args[1:]
	}
	command, found := args[0], false
	for _, c := range commands {
		found = found || c == command
	}
	if neg || !found {
		ts.Fatalf("the skill does not say: %s", command)
	}
	if state.done == nil {
		state.done = map[string]bool{}
	}
	state.done[command] = true
	for line := range strings.Lines(ts.ReadFile("names")) {
		if printed, here, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			command = strings.ReplaceAll(command, printed, here)
		}
	}
	runByAgent(ts, command, want)
}

// runByAgent has the agent whose shell reads the pipe go run a command.
func runByAgent(ts *testscript.TestScript, command, want string) {
	_ = os.Remove(ts.MkAbs("status"))
	ts.Check(os.WriteFile(ts.MkAbs("command"), []byte(command+"\n"), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("go"), []byte("\n"), 0o600))
	var status []byte
	err := eventually(patience, func() bool {
		var err error
		status, err = os.ReadFile(ts.MkAbs("status"))
		return err == nil
	})
	if got := strings.TrimSpace(string(status)); err != nil || got != want {
		ts.Fatalf("%s\nstatus %q, want %s (%v)\n%s%s", command, got, want, err, fileOr(ts, "out"), fileOr(ts, "err"))
	}
}

// cmdAsks is "asks COMMAND": the same shell runs what no text teaches.
func cmdAsks(ts *testscript.TestScript, _ bool, args []string) { runByAgent(ts, args[0], "0") }

func fileOr(ts *testscript.TestScript, name string) string {
	b, _ := os.ReadFile(filepath.Clean(ts.MkAbs(name)))
	return string(b)
}
