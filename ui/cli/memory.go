package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// memoryVerbs are the verbs about what projects remember.
func memoryVerbs(a *app) []*cobra.Command {
	return []*cobra.Command{
		contextCmd(a),
		decideCmd(a),
		decisionsCmd(a),
		discoverCmd(a),
		knowledgeCmd(a),
		mcpCmd(a),
		memoryCmd(a),
		projectCmd(a),
		projectsCmd(a),
		recallCmd(a),
		relateCmd(a),
		rememberCmd(a),
		resumeCmd(a),
		taskCmd(a),
	}
}

// memoryCmd is "deck memory". Without a verb it lists the project's notes.
func memoryCmd(a *app) *cobra.Command {
	var o listOptions
	c := &cobra.Command{
		Use:   "memory [flags] [COMMAND]",
		Short: "list, search and keep what projects remember",
		Long:  "List what is known of this project, the last changed first.",
		Example: `  deck memory
  deck memory search page cache
  deck memory doctor --fix`,
		DisableFlagsInUseLine: true,
		Args:                  noCommand,
		RunE:                  func(cmd *cobra.Command, _ []string) error { return a.listNotes(cmd.Context(), o, "note") },
	}
	o.flags(a, c)
	c.Flags().StringSliceVar(&o.Kinds, "kind", nil, "only this `kind`: fact, discovery or decision")
	_ = c.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(kinds, cobra.ShellCompDirectiveNoFileComp))
	c.AddCommand(
		a.searchCmd("search [flags] QUERY...", "find what was remembered", "  deck memory search page cache"),
		memoryExportCmd(a), memoryImportCmd(a), memoryDoctorCmd(a), memoryCompactCmd(a), memoryBackupCmd(a), memoryRedactCmd(a),
	)
	return c
}

// memoryExportCmd is "deck memory export".
func memoryExportCmd(a *app) *cobra.Command {
	var e wire.Export
	var project, from string
	c := &cobra.Command{
		Use:   "export [flags] [FILE]",
		Short: "write everything that is remembered as JSON, one record a line",
		Long: `Write everything that is remembered as JSON, one record a line, to FILE or
stdout. Secrets that a newer rule knows are taken out.`,
		Example: `  deck memory export memory.jsonl
  deck memory export --project api --since 30d | ssh other deck memory import -`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if project != "" {
				if e.Place, err = place(project); err != nil {
					return err
				}
			}
			if e.Since, err = since(from, time.Now()); err != nil {
				return err
			}
			return a.export(cmd.Context(), e, strings.Join(args, ""))
		},
	}
	c.Flags().StringVar(&project, "project", "", "only this `project`")
	c.Flags().StringVar(&from, "since", "", "only what was changed since: `7d`, 12h, 2026-01-31")
	_ = c.RegisterFlagCompletionFunc("project", a.completeProject)
	_ = c.RegisterFlagCompletionFunc("since", cobra.NoFileCompletions)
	return c
}

// export writes to stdout, or to a file that appears when it is whole.
func (a *app) export(ctx context.Context, e wire.Export, file string) error {
	to := func(w io.Writer) (int, error) {
		return remembering(ctx, a, func(c *wire.Conn) (int, error) { return c.Export(ctx, e, w) })
	}
	if file == "" || file == "-" {
		_, err := to(a.stdout)
		return err
	}
	f, err := os.CreateTemp(parentOf(file), ".deck-export-*")
	if err != nil {
		return aboutFile(err, file)
	}
	defer os.Remove(f.Name())
	n, err := to(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), file); err != nil {
		return aboutFile(err, file)
	}
	_, err = fmt.Fprintf(a.stderr, "deck: %s in %s\n", plural(n, "record"), clean(file))
	return err
}

// aboutFile is an error of a file that takes another's place, as one of that other.
func aboutFile(err error, file string) error {
	var link *os.LinkError
	var path *fs.PathError
	switch {
	case errors.As(err, &link):
		err = link.Err
	case errors.As(err, &path):
		err = path.Err
	}
	return fmt.Errorf("write %s: %w", clean(file), err)
}

// parentOf is the folder of a file.
func parentOf(file string) string {
	if i := strings.LastIndexByte(file, '/'); i > 0 {
		return file[:i]
	} else if i == 0 {
		return "/"
	}
	return "."
}

// memoryImportCmd is "deck memory import".
func memoryImportCmd(a *app) *cobra.Command {
	var project string
	var dry, asJSON bool
	c := &cobra.Command{
		Use:   "import [flags] FILE",
		Short: "take in an export, or plain records of notes",
		Long: `Take in an export of deck, or plain records, one JSON object a line: project,
kind, title, text, tags, files, ts, status, and id, which is kept as ref. All
of it is checked before anything is stored; what is there is changed only by
what is newer, and nothing is removed. "-" reads stdin.`,
		Example: `  deck memory import notes.jsonl
  deck memory import --dry-run memory.jsonl`,
		Args: exactly("file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			got, err := a.importFile(cmd.Context(), args[0], project, dry)
			switch {
			case err != nil:
				return err
			case asJSON:
				return printJSON(a.stdout, got)
			}
			return a.printImported(got, dry)
		},
	}
	c.Flags().StringVar(&project, "project", "", "the `project` of records that name none")
	c.Flags().BoolVar(&dry, "dry-run", false, "say what would be done, and do nothing")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	_ = c.RegisterFlagCompletionFunc("project", a.completeProject)
	return c
}

func (a *app) importFile(ctx context.Context, file, project string, dry bool) (got wire.Imported, err error) {
	in := a.stdin
	if file != "-" {
		if in, err = os.Open(file); err != nil {
			return got, err
		}
		defer in.Close()
	}
	at, err := place(project)
	if err != nil {
		return got, err
	}
	// A server is there before the records are read, which can be done once.
	if _, err := remembering(ctx, a, func(c *wire.Conn) (wire.Hello, error) { return c.Hello(ctx) }); err != nil {
		return got, err
	}
	return remembering(ctx, a, func(c *wire.Conn) (wire.Imported, error) { return c.Import(ctx, at, dry, onlyReader{in}) })
}

// onlyReader keeps a file from being closed by who reads it.
type onlyReader struct{ io.Reader }

func (a *app) printImported(got wire.Imported, dry bool) error {
	verb := ""
	if dry {
		verb = "would be: "
	}
	s := fmt.Sprintf("%s%s: %d new, %d changed, %d the same", verb, plural(got.Records, "record"), got.New, got.Changed, got.Same)
	if got.Redacted > 0 {
		s += fmt.Sprintf(", a secret taken out of %d", got.Redacted)
	}
	if got.Cut > 0 {
		s += fmt.Sprintf(", %d cut", got.Cut)
	}
	if len(got.Projects) > 0 {
		s += "; " + plural(len(got.Projects), "new project")
	}
	_, err := fmt.Fprintln(a.stdout, s)
	return err
}

// memoryDoctorCmd is "deck memory doctor".
func memoryDoctorCmd(a *app) *cobra.Command {
	var r wire.Doctor
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor [flags]",
		Short: "look the memory over, and repair it",
		Long: `Look the memory over.

Exit status: 0 all is well or was repaired, 1 something is wrong.`,
		Example: "  deck memory doctor --fix",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			got, err := remembering(ctx, a, func(c *wire.Conn) (wire.Diagnosis, error) { return c.Doctor(ctx, r) })
			if err != nil {
				return err
			}
			a.notices(got.Notices)
			if asJSON {
				err = printJSON(a.stdout, got)
			} else {
				err = checkTable(got.Checks).print(a.stdout)
			}
			for _, c := range got.Checks {
				if err == nil && !c.OK && !c.Fixed {
					err = exitError(1)
				}
			}
			return err
		},
	}
	c.Flags().BoolVar(&r.Fix, "fix", false, "repair what can be repaired")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func checkTable(checks []wire.Check) *table {
	t := &table{head: []string{"CHECK", "RESULT", "DETAIL"}}
	for _, c := range checks {
		result := "ok"
		switch {
		case c.Fixed:
			result = "repaired"
		case !c.OK:
			result = "wrong"
		}
		t.add(c.Name, result, oneLine(c.Detail))
	}
	return t
}

// memoryCompactCmd is "deck memory compact".
func memoryCompactCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "compact",
		Short: "write the memory's file anew without its free pages",
		Args:  exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			got, err := remembering(ctx, a, func(c *wire.Conn) (wire.Compacted, error) { return c.Compact(ctx) })
			switch {
			case err != nil:
				return err
			case asJSON:
				return printJSON(a.stdout, got)
			}
			_, err = fmt.Fprintf(a.stdout, "%d KB, %d KB before\n", got.After>>10, got.Before>>10)
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// memoryBackupCmd is "deck memory backup".
func memoryBackupCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "backup",
		Short: "copy the memory as it is, and print the copy's path",
		Args:  exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			got, err := remembering(ctx, a, func(c *wire.Conn) (wire.BackedUp, error) { return c.Backup(ctx) })
			switch {
			case err != nil:
				return err
			case asJSON:
				return printJSON(a.stdout, got)
			}
			_, err = fmt.Fprintln(a.stdout, clean(got.Path))
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// memoryRedactCmd is "deck memory redact". It needs no server: a filter should not.
func memoryRedactCmd(a *app) *cobra.Command {
	var check string
	var asJSON bool
	c := &cobra.Command{
		Use:   "redact [flags] [FILE]",
		Short: "take secrets out of a text",
		Long: `Take what looks like a secret out of FILE or stdin, as is done with everything
that is remembered, and print the rest. With --check it only says which rule
found something in which line, and the exit status is 1 if there is anything.`,
		Example: `  make 2>&1 | deck memory redact
  deck memory redact --check notes.md`,
		Args: atMostOne,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case cmd.Flags().Changed("check") && len(args) > 0:
				return usagef("--check has a file already")
			case check != "":
				return a.checkSecrets(check, asJSON)
			case asJSON:
				return usagef("--json needs --check")
			}
			text, _, err := a.redactFile(strings.Join(args, ""))
			if err == nil {
				_, err = io.WriteString(a.stdout, text)
			}
			return err
		},
	}
	c.Flags().StringVar(&check, "check", "", "say what would be taken out of a `FILE`; - is stdin")
	c.Flags().BoolVar(&asJSON, "json", false, "print what --check found as JSON")
	return c
}

func (a *app) redactFile(file string) (string, []secret, error) {
	in := a.stdin
	if file != "" && file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", nil, err
		}
		defer f.Close()
		in = f
	}
	return a.backend.redact(in)
}

// secret is where something was found that looks like one.
type secret struct {
	Rule string `json:"rule"`
	Line int    `json:"line"`
}

func (a *app) checkSecrets(file string, asJSON bool) error {
	_, found, err := a.redactFile(file)
	if err != nil {
		return err
	}
	err = printRows(a, asJSON, found, nil, "secret", func(list []secret) *table {
		t := &table{head: []string{"LINE", "RULE"}}
		for _, s := range list {
			t.add(fmt.Sprint(s.Line), s.Rule)
		}
		return t
	})
	if err == nil && len(found) > 0 {
		err = exitError(1)
	}
	return err
}
