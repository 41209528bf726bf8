package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// knowledgeCmd is "deck knowledge".
func knowledgeCmd(a *app) *cobra.Command {
	return group("knowledge", "what is to be thought of a note", knowledgeShowCmd(a), knowledgeVerifyCmd(a), knowledgeSupersedeCmd(a))
}

// statuses are what can be concluded about a note.
var statuses = []string{"VERIFIED", "REVIEWED", "STALE", "INVALIDATED"}

// knowledgeShowCmd is "deck knowledge show".
func knowledgeShowCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:               "show ID",
		Short:             "print a whole note",
		Example:           "  deck knowledge show F7K2Q",
		Args:              exactly("id"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := place("")
			if err != nil {
				return err
			}
			ctx := cmd.Context()
			n, err := remembering(ctx, a, func(c *wire.Conn) (wire.Note, error) { return c.Note(ctx, wire.FindNote{Place: at, ID: args[0]}) })
			switch {
			case err != nil:
				return err
			case asJSON:
				return printJSON(a.stdout, n)
			}
			return a.whole(n)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// knowledgeVerifyCmd is "deck knowledge verify".
func knowledgeVerifyCmd(a *app) *cobra.Command {
	var r wire.VerifyNote
	var asJSON bool
	c := &cobra.Command{
		Use:   "verify [flags] ID",
		Short: "say that a note holds, or that it does not",
		Long: `Say that a note holds. Its files are taken as they are at this moment, so that
it is fresh again. With --status another conclusion is recorded; an invalidated
note is left out of what is recalled.`,
		Example: `  deck knowledge verify F7K2Q
  deck knowledge verify F7K2Q --status invalidated`,
		Args:              exactly("id"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if r.Place, err = place(""); err != nil {
				return err
			}
			r.ID = args[0]
			return a.concluded(cmd.Context(), asJSON, func(ctx context.Context, c *wire.Conn) (wire.Remembered, error) {
				return c.VerifyNote(ctx, r)
			})
		},
	}
	c.Flags().StringVar(&r.Status, "status", "", "`VERIFIED`, without it, or REVIEWED, STALE, INVALIDATED")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	_ = c.RegisterFlagCompletionFunc("status", cobra.FixedCompletions(statuses, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// knowledgeSupersedeCmd is "deck knowledge supersede".
func knowledgeSupersedeCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:               "supersede OLD NEW",
		Short:             "put a newer note in the place of an older one",
		Example:           "  deck knowledge supersede F7K2Q FY7A4",
		Args:              exactly("old id", "new id"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := place("")
			if err != nil {
				return err
			}
			return a.concluded(cmd.Context(), asJSON, func(ctx context.Context, c *wire.Conn) (wire.Remembered, error) {
				return c.SupersedeNote(ctx, wire.SupersedeNote{Place: at, ID: args[0], By: args[1]})
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// concluded carries out a verb that changes a note, and shows how it stands.
func (a *app) concluded(ctx context.Context, asJSON bool, change func(context.Context, *wire.Conn) (wire.Remembered, error)) error {
	got, err := remembering(ctx, a, func(c *wire.Conn) (wire.Remembered, error) { return change(ctx, c) })
	if err != nil {
		return err
	}
	a.notices(got.Notices)
	if asJSON {
		return printJSON(a.stdout, got)
	}
	_, err = fmt.Fprintf(a.stdout, "%s  %s\n", a.pen().about(got.Note), shorten(head(got.Note), 80))
	return err
}
