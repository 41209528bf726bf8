// Package cli is the command line: one file per verb, and the relay client
// that stands between a terminal and the server. It exists so that whatever a
// person can do at the screen, a script can do with one command; everything a
// verb does, it does by asking the server over its socket.
package cli

import (
	"context"
	"io"
	"os"
)

// Main runs the command line and returns the exit status: 0 done, 1 failed, 2
// wrong usage; verbs that wait document theirs.
func Main(args []string, stdin *os.File, stdout, stderr io.Writer) int {
	a := &app{
		stdin: stdin, stdout: stdout, stderr: stderr,
		env:     environment(os.Environ()),
		backend: serverBackend(),
	}
	return a.run(context.Background(), args)
}

// run runs one command and says on stderr what went wrong. It is the only
// place that prints errors.
func (a *app) run(ctx context.Context, args []string) int {
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	return report(a.stderr, root.ExecuteContext(ctx))
}
