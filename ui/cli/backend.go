package cli

import (
	"context"
	"io"
)

// backend is what the command line needs of the server's package besides its
// socket. It is a value so that tests can do without a server.
type backend struct {
	// socketPath returns the path of a socket for a name, a path, or "".
	socketPath func(nameOrPath string) (string, error)
	// ensure starts a server where none runs and returns when it answers.
	ensure func(ctx context.Context, socket string, verbose bool) error
	// serve is the server; it returns when the server has ended.
	serve func(ctx context.Context, socket string, verbose bool) error
	// logPath returns the path of a server's log.
	logPath func(socket string) string
	// configPath returns the path of the configuration.
	configPath func() string
	// checkConfig says what is wrong with a configuration, a line per fault.
	checkConfig func(path string) error
	// debugScreen runs bytes through the emulator and prints the screen.
	debugScreen func(in io.Reader, out io.Writer, o screenOptions) error
	// keyTable returns the keys of the screen and what they do.
	keyTable func() []keyRow
}

// screenOptions are the flags of "deck debug screen".
type screenOptions struct {
	cols, rows int
	raw        bool // the input is a program's bytes, not a script
	noCells    bool
}

// keyRow is one line of the table of keys.
type keyRow struct{ key, help string }
