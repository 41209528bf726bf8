package cli

import (
	"context"
	"io"
	"log/slog"
	"runtime"

	"deck/term/server"
)

// serverBackend is the backend of the real program.
func serverBackend() backend {
	return backend{
		socketPath: server.SocketPath,
		ensure: func(ctx context.Context, socket string, verbose bool) error {
			return server.Ensure(ctx, serverOptions(socket, verbose))
		},
		serve: func(ctx context.Context, socket string, verbose bool) error {
			return server.Run(ctx, serverOptions(socket, verbose))
		},
		logPath:     server.LogPath,
		configPath:  server.ConfigPath,
		checkConfig: server.CheckConfig,
		debugScreen: func(in io.Reader, out io.Writer, o screenOptions) error {
			return server.DebugScreen(in, out, server.DebugOptions{
				Cols: o.cols, Rows: o.rows, Raw: o.raw, NoCells: o.noCells, History: debugHistory,
			})
		},
		keyTable: func() []keyRow {
			var rows []keyRow
			for _, k := range server.KeyTable() {
				rows = append(rows, keyRow{k.Keys, k.Help})
			}
			return rows
		},
		spoolNote:   server.SpoolNote,
		spoolTask:   server.SpoolTask,
		projections: offlineProjections,
		redact:      redacted,
	}
}

// serverOptions say which server is meant. A verbose client starts a server
// that logs more; one that runs already keeps its level.
func serverOptions(socket string, verbose bool) server.Options {
	o := server.Options{Socket: socket, Procs: runtime.GOMAXPROCS}
	if verbose {
		o.Level = slog.LevelDebug
	}
	return o
}

// debugHistory is how many rows that scrolled off "deck debug screen" prints
// at most: as many as a pane keeps.
const debugHistory = 10000
