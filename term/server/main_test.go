package server

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

// TestMain lets the test program be the server that tests start: Ensure runs
// "PROGRAM -L SOCKET server start --foreground"; and what benchmarks have in
// panes.
func TestMain(m *testing.M) {
	if len(os.Args) == 6 && os.Args[1] == "-L" && os.Args[3] == "server" {
		if err := Run(context.Background(), Options{Socket: os.Args[2]}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if len(os.Args) == 2 && os.Args[1] == "animate" {
		animate()
	}
	if len(os.Args) >= 4 && filepath.Base(os.Args[0]) == typistName {
		runTypist(os.Args[1], os.Args[2], os.Args[3], len(os.Args) > 4)
		os.Exit(0)
	}
	// A server under the race detector would linger for a second at its end.
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0"); err != nil {
		panic(err)
	}
	// The tick of a client that has gone ends by itself, and no sooner.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("charm.land/bubbletea/v2.Tick.func1"))
}
