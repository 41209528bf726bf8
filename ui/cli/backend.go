package cli

import (
	"context"
	"io"
	"time"

	"deck/term/wire"
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
	// spoolNote and spoolTask keep a write for a server that a sandbox hides, as one
	// of a pane.
	spoolNote func(pane string, r wire.Remember) error
	spoolTask func(pane string, r wire.UpdateTask) error
	// projections reads the files that the server left in the checkout of a folder, by
	// name, and when it did.
	projections func(dir string) (map[string]string, time.Time, error)
	// redact takes the secrets out of a text.
	redact func(r io.Reader) (string, []secret, error)
}

// screenOptions are the flags of "deck debug screen".
type screenOptions struct {
	cols, rows int
	raw        bool // the input is a program's bytes, not a script
	noCells    bool
}

// keyRow is one line of the table of keys.
type keyRow struct{ key, help string }
