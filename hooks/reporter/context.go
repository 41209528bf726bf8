package reporter

import (
	"context"
	"io"
	"os"
	"time"

	"deck/hooks"
	"deck/term/wire"
)

const (
	// contextTime is how long the start of a session may wait for what its project
	// remembers.
	contextTime = 2 * time.Second
	// contextBytes is as much as agents show of what a hook prints there.
	contextBytes = 2000
)

// remind prints what the project of this folder remembers, for the session to begin
// with.
func remind(c *wire.Conn, a hooks.Agent, stdout io.Writer) {
	dir, err := os.Getwd()
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), contextTime)
	defer cancel()
	got, err := c.Context(ctx, wire.GetContext{Place: wire.Place{Cwd: dir}, Bytes: contextBytes})
	if err == nil && got.Text != "" {
		_, _ = stdout.Write(a.StartContext(got.Text))
	}
}
