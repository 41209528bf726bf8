package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// noteOptions are the flags of the verbs that store a note.
type noteOptions struct {
	wire.Remember
	project string
	json    bool
}

// noteCmd makes a verb that stores a note.
func (a *app) noteCmd(kind, use, short, long, example string, take func(*noteOptions, string)) *cobra.Command {
	var o noteOptions
	c := &cobra.Command{
		Use:               use,
		Short:             short,
		Long:              long,
		Example:           example,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			text := strings.Join(args, " ")
			if text == "-" {
				var err error
				if text, err = readNote(a.stdin); err != nil {
					return err
				}
			}
			o.Kind = kind
			take(&o, text)
			return a.remember(cmd.Context(), o)
		},
	}
	f := c.Flags()
	f.StringArrayVarP(&o.Files, "file", "f", nil, "the `file` it is about: path, path:12-40 or a pattern")
	f.StringSliceVarP(&o.Tags, "tag", "t", nil, "a `word` to find it by")
	f.StringVar(&o.project, "project", "", "the `project` it belongs to, instead of this folder's")
	f.BoolVar(&o.json, "json", false, "print JSON")
	_ = c.RegisterFlagCompletionFunc("tag", cobra.NoFileCompletions)
	_ = c.RegisterFlagCompletionFunc("project", a.completeProject)
	switch kind {
	case "discovery":
		f.StringVar(&o.Type, "type", "", "what `sort` of finding: bug, gotcha, performance, …")
		_ = c.RegisterFlagCompletionFunc("type", cobra.NoFileCompletions)
	case "decision":
		f.StringVarP(&o.Reason, "reason", "r", "", "`why` it was decided so")
		_ = c.RegisterFlagCompletionFunc("reason", cobra.NoFileCompletions)
	}
	return c
}

// noteHelp is what the verbs that store a note have in common.
const noteHelp = `
"-" reads the text from stdin. It is cut at 8000 characters, and what looks
like a secret is taken out. The same words again are the same note. --file and
--tag may be said more than once. Prints the note's id.`

// rememberCmd is "deck remember".
func rememberCmd(a *app) *cobra.Command {
	c := a.noteCmd("fact", "remember [flags] FACT...", "remember a fact about the project",
		"Remember a fact about the project of this folder."+noteHelp, `  deck remember "integration tests need docker; make deps starts it"
  deck remember --file auth.go:40-62 "tokens are checked here and nowhere else"`,
		func(o *noteOptions, text string) { o.Text = text })
	c.Args = atLeast("fact")
	return c
}

// discoverCmd is "deck discover".
func discoverCmd(a *app) *cobra.Command {
	c := a.noteCmd("discovery", "discover [flags] FINDING...", "remember something found out",
		"Remember something that was found out: a bug, a trap, a measurement."+noteHelp,
		`  deck discover --type gotcha --file pool.go "blocks for ever at 0 connections"`,
		func(o *noteOptions, text string) { o.Text = text })
	c.Args = atLeast("finding")
	return c
}

// decideCmd is "deck decide".
func decideCmd(a *app) *cobra.Command {
	c := a.noteCmd("decision", "decide [flags] TITLE...", "remember a decision and why it was taken",
		"Remember a decision and why it was taken."+noteHelp,
		`  deck decide "sessions live in redis" -r "they must outlive a deploy"`,
		func(o *noteOptions, text string) {
			o.Title, o.Text, _ = strings.Cut(strings.TrimSpace(text), "\n")
			o.Text = strings.TrimSpace(o.Text)
		})
	c.Args = atLeast("title")
	return c
}

// maxNote is as much of a text as is sent, in bytes; less of it is kept. Whatever the
// bytes are, a request with it is not too long.
const maxNote = 128 << 10

// readNote reads a text from stdin, as much of it as is looked at.
func readNote(r io.Reader) (string, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxNote+1))
	if err != nil {
		return "", fmt.Errorf("read the text: %w", err)
	}
	_, _ = io.Copy(io.Discard, r) // who writes it is not broken off
	return string(b), nil
}

func (a *app) remember(ctx context.Context, o noteOptions) (err error) {
	for _, text := range []*string{&o.Text, &o.Title, &o.Reason} {
		*text = (*text)[:min(len(*text), maxNote)]
	}
	if o.Place, err = place(o.project); err != nil {
		return err
	}
	if strings.TrimSpace(o.Title+o.Text) == "" {
		return errors.New("nothing to remember: the text is empty")
	}
	got, err := remembering(ctx, a, func(c *wire.Conn) (wire.Remembered, error) { return c.Remember(ctx, o.Remember) })
	if errors.Is(err, errSandbox) {
		return a.spooled(o.Place, err, func() error { return a.backend.spoolNote(a.env.get("DECK_PANE_ID"), o.Remember) })
	}
	if err != nil {
		return err
	}
	return a.wrote(got, o.json)
}

// wrote says what became of a note.
func (a *app) wrote(got wire.Remembered, asJSON bool) error {
	a.notices(got.Notices)
	if got.Known {
		fmt.Fprintln(a.stderr, "deck: known already")
	}
	if got.Cut {
		fmt.Fprintln(a.stderr, "deck: the text was cut at 8000 characters")
	}
	if len(got.Redacted) > 0 {
		fmt.Fprintf(a.stderr, "deck: taken out as secret: %s\n", oneLine(strings.Join(got.Redacted, ", ")))
	}
	for _, s := range got.Similar {
		fmt.Fprintf(a.stderr, "deck: similar: %s (%.2f) %s; deck knowledge supersede %s %s puts this one in its place\n",
			clean(s.Short), s.Score, shorten(oneLine(s.Head), 60), clean(s.Short), clean(got.Note.Short))
	}
	if asJSON {
		return printJSON(a.stdout, got)
	}
	_, err := fmt.Fprintln(a.stdout, clean(got.Note.Short))
	return err
}

// decisionsCmd is "deck decisions".
func decisionsCmd(a *app) *cobra.Command {
	var o listOptions
	c := &cobra.Command{
		Use:   "decisions [flags]",
		Short: "list the project's decisions",
		Example: `  deck decisions
  deck decisions --project api -n 5`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Kinds = []string{"decision"}
			return a.listNotes(cmd.Context(), o, "decision")
		},
	}
	o.flags(a, c)
	return c
}

// listOptions are the flags of the verbs that list notes.
type listOptions struct {
	wire.ListNotes
	project string
	json    bool
}

func (o *listOptions) flags(a *app, c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.project, "project", "", "of this `project`")
	f.BoolVar(&o.All, "all", false, "what was invalidated or superseded, too")
	f.IntVarP(&o.N, "number", "n", 0, "at most so many; 0 is all")
	f.BoolVar(&o.json, "json", false, "print JSON")
	_ = c.RegisterFlagCompletionFunc("project", a.completeProject)
	_ = c.RegisterFlagCompletionFunc("number", cobra.NoFileCompletions)
}

func (a *app) listNotes(ctx context.Context, o listOptions, noun string) (err error) {
	if o.N < 0 {
		return usagef("not a number of notes: %d", o.N)
	}
	if o.Place, err = place(o.project); err != nil {
		return err
	}
	rows, err := remembering(ctx, a, func(c *wire.Conn) ([]wire.Note, error) { return c.Notes(ctx, o.ListNotes) })
	if errors.Is(err, errSandbox) {
		if rows, err = a.notesOffline(o.Place, o.Kinds, err); o.N > 0 {
			rows = rows[:min(len(rows), o.N)]
		}
	}
	return printRows(a, o.json, rows, nothingYet(err), noun, noteTable)
}

// nothingYet makes an empty list of the answer that a folder has no project.
func nothingYet(err error) error {
	var e *wire.Error
	if errors.As(err, &e) && e.Code == wire.CodeProjectNotFound && e.Hint != "" && strings.HasPrefix(e.Message, "nothing is known") {
		return nil
	}
	return err
}

// completeProject offers the projects as a flag's value or first argument.
func (a *app) completeProject(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return a.completeWith(func(ctx context.Context, c *wire.Conn) []string {
		projects, err := c.Projects(ctx)
		if err != nil {
			return nil
		}
		words := make([]string, 0, len(projects))
		for _, p := range projects {
			words = append(words, cobra.CompletionWithDesc(clean(p.Name), plural(p.Notes, "note")))
		}
		return words
	})
}
