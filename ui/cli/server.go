package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// stopTime is how long a server may take to end its panes.
const stopTime = 20 * time.Second

// serverCmd is "deck server": the verbs about the process itself.
func serverCmd(a *app) *cobra.Command {
	c := group("server", "start, stop and look at the server",
		serverStartCmd(a), serverStopCmd(a), serverStatusCmd(a), serverLogCmd(a))
	c.SuggestFor = []string{"kill-server", "start-server"}
	return c
}

// serverStartCmd is "deck server start". With --foreground it is the server;
// that is also how every other verb starts one.
func serverStartCmd(a *app) *cobra.Command {
	var foreground bool
	c := &cobra.Command{
		Use:   "start",
		Short: "start the server, if it does not run",
		Example: `  deck server start
  deck -L test server start --foreground`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !foreground {
				c, err := a.ensure(cmd.Context())
				if err == nil {
					c.Close()
				}
				return err
			}
			socket, err := a.socket()
			if err != nil {
				return err
			}
			return a.backend.serve(cmd.Context(), socket, a.verbose)
		},
	}
	c.Flags().BoolVar(&foreground, "foreground", false, "be the server, until it ends")
	return c
}

// serverStopCmd is "deck server stop".
func serverStopCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "stop",
		Short:   "end the server and everything in its panes",
		Example: "  deck server stop",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			// Also a server of another version can be told to stop.
			c, _, err := a.dial()
			if err != nil {
				return err
			}
			defer c.Close()
			ctx, cancel := context.WithTimeout(cmd.Context(), stopTime)
			defer cancel()
			return c.Stop(ctx)
		},
	}
}

// serverStatusCmd is "deck server status", which never starts one.
func serverStatusCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "status",
		Short:   "say whether the server runs, and how it is",
		Example: "  deck server status --json",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.running(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			s, err := c.Status(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(a.stdout, s)
			}
			return printStatus(a.stdout, s)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// printStatus prints what is known, one line each; what is not is left out.
func printStatus(w io.Writer, s wire.Status) error {
	started := s.Started
	if t, err := time.Parse(time.RFC3339, s.Started); err == nil {
		started = t.Local().Format(time.DateTime)
	}
	unusable := ""
	if s.Unusable > 0 {
		unusable = strconv.FormatInt(s.Unusable, 10) + " that deck could do nothing with"
	}
	for _, row := range [][2]string{
		{"version", s.Version},
		{"process", strconv.Itoa(s.PID)},
		{"started", started},
		{"socket", s.Socket},
		{"sessions", strconv.Itoa(s.Sessions)},
		{"panes", strconv.Itoa(s.Panes)},
		{"clients", strconv.Itoa(s.Clients)},
		{"hook calls", unusable},
		{"memory", fmt.Sprintf("%.1f MB", float64(s.Memory)/1e6)},
		{"log", s.Log},
		{"config", s.Config},
		{"after logout", s.Scope},
	} {
		if row[1] == "" {
			continue
		}
		if _, err := fmt.Fprintf(w, "%-13s %s\n", row[0], clean(row[1])); err != nil {
			return err
		}
	}
	return nil
}

// serverLogCmd is "deck server log". It reads the file itself, since a log is
// wanted most when the server is gone.
func serverLogCmd(a *app) *cobra.Command {
	var lines int
	var path bool
	c := &cobra.Command{
		Use:   "log",
		Short: "print the end of the server's log",
		Example: `  deck server log -n 50
  tail -f "$(deck server log --path)"`,
		Args: exactly(),
		RunE: func(*cobra.Command, []string) error {
			socket, err := a.socket()
			if err != nil {
				return err
			}
			file := a.backend.logPath(socket)
			if path {
				_, err := fmt.Fprintln(a.stdout, file)
				return err
			}
			return printTail(a.stdout, file, lines)
		},
	}
	c.Flags().IntVarP(&lines, "lines", "n", 100, "how many `lines`")
	c.Flags().BoolVar(&path, "path", false, "print where the log is instead")
	return c
}

// printTail prints the last n lines of a file.
func printTail(w io.Writer, path string, n int) error {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("no log yet: %s", path)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	last := make([]string, 0, max(n, 0))
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() && n > 0 {
		if len(last) == n {
			last = append(last[:0], last[1:]...)
		}
		last = append(last, sc.Text())
	}
	for _, line := range last {
		if _, err := fmt.Fprintln(w, clean(line)); err != nil {
			return err
		}
	}
	return sc.Err()
}
