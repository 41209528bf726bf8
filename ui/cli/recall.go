package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// recallOptions are the flags of "deck recall".
type recallOptions struct {
	wire.Recall
	project   string
	since     string
	json, why bool
}

// recallCmd is "deck recall".
func recallCmd(a *app) *cobra.Command {
	c := a.searchCmd("recall [flags] QUERY...", "find what was remembered, here and in other projects", `  deck recall how are pages cached
  deck recall --kind decision cache
  deck recall --project api --only retry`)
	c.SuggestFor = []string{"search", "find"}
	return c
}

// searchCmd makes a verb that searches the memory.
func (a *app) searchCmd(use, short, example string) *cobra.Command {
	var o recallOptions
	c := &cobra.Command{
		Use:   use,
		Short: short,
		Long: strings.ToUpper(short[:1]) + short[1:] + `.

QUERY is plain words: of prose, of code, parts of a path; no character has a
meaning of its own. Notes of the project that one stands in come first. What
was invalidated or superseded is left out without --all.`,
		Example:           example,
		Args:              atLeast("query"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Query = strings.Join(args, " ")
			return a.recall(cmd.Context(), o)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&o.Kinds, "kind", nil, "only this `kind`: fact, discovery or decision")
	f.StringVar(&o.project, "project", "", "search as if standing in this `project`")
	f.BoolVar(&o.Only, "only", false, "notes of the one project alone")
	f.StringVar(&o.since, "since", "", "only what was changed since: `7d`, 12h, 2026-01-31")
	f.BoolVar(&o.All, "all", false, "what was invalidated or superseded, too")
	f.IntVarP(&o.N, "number", "n", 10, "at most so many hits")
	f.BoolVar(&o.why, "why", false, "show what each score is made of")
	f.BoolVar(&o.json, "json", false, "print JSON")
	_ = c.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(kinds, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("project", a.completeProject)
	_ = c.RegisterFlagCompletionFunc("since", cobra.NoFileCompletions)
	_ = c.RegisterFlagCompletionFunc("number", cobra.NoFileCompletions)
	return c
}

// kinds are the kinds of notes.
var kinds = []string{"fact", "discovery", "decision"}

func (a *app) recall(ctx context.Context, o recallOptions) (err error) {
	if o.N < 1 || o.N > 1000 {
		return usagef("not a number of hits: %d", o.N)
	}
	if o.Since, err = since(o.since, time.Now()); err != nil {
		return err
	}
	if o.Place, err = place(o.project); err != nil {
		return err
	}
	got, err := remembering(ctx, a, func(c *wire.Conn) (wire.Recalled, error) { return c.Recall(ctx, o.Recall) })
	if errors.Is(err, errSandbox) {
		got, err = a.recallOffline(o.Recall, err)
	}
	if err != nil {
		return err
	}
	a.notices(got.Notices)
	if o.json {
		return printJSON(a.stdout, got)
	}
	return a.printHits(got, o.why)
}

// since reads a time or how long ago it was, and returns RFC 3339.
func since(s string, now time.Time) (string, error) {
	if s == "" {
		return "", nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04", "2006-01-02"} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return t.Format(time.RFC3339), nil
		}
	}
	var n int
	var unit string
	if k, err := fmt.Sscanf(s, "%d%1s", &n, &unit); err == nil && k == 2 && n > 0 && n < 100000 && fmt.Sprintf("%d%s", n, unit) == s {
		switch unit {
		case "d":
			return now.AddDate(0, 0, -n).Format(time.RFC3339), nil
		case "w":
			return now.AddDate(0, 0, -7*n).Format(time.RFC3339), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return now.Add(-d).Format(time.RFC3339), nil
	}
	return "", &usageError{"not a time: " + s, "it is a date as 2026-01-31, or how long ago: 12h, 7d, 4w"}
}

// printHits prints hits and says what they were found in.
func (a *app) printHits(got wire.Recalled, why bool) error {
	p := a.pen()
	var b strings.Builder
	for _, h := range got.Hits {
		fmt.Fprintln(&b, p.about(h.Note))
		if h.Title != "" {
			fmt.Fprintln(&b, "  "+p.title(h))
		}
		if s := p.snippet(h.Snippet); s != "" {
			fmt.Fprintln(&b, "  "+s)
		}
		if f := p.files(h.Note); f != "" {
			fmt.Fprintln(&b, "  "+p.dim(f))
		}
		if why {
			fmt.Fprintln(&b, "  "+p.dim(partsOf(h)))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintln(&b, tally(got))
	_, err := fmt.Fprint(a.stdout, b.String())
	return err
}

// partsOf is what a score is made of.
func partsOf(h wire.Hit) string {
	w := h.Why
	return fmt.Sprintf("score %.3f = text %.3f × project %g × recency %.3f × status %g × fresh %g; found: %s",
		h.Score, w.Text, w.Project, w.Recency, w.Status, w.Fresh, clean(strings.Join(w.Words, ", ")))
}

// tally says how many notes were searched, and for what.
func tally(got wire.Recalled) string {
	s := plural(len(got.Hits), "hit") + ", " + plural(got.Searched, "note") + " searched"
	if got.Scan {
		s += " without the index"
	}
	switch {
	case got.Literal:
		s += ` for "` + oneLine(strings.Join(got.Words, " ")) + `" as it stands: it has no word to look for`
	case len(got.Hits) == 0:
		s += " for " + oneLine(strings.Join(got.Words, ", ")) + "; try other words"
	}
	return s
}
