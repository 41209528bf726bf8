package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"deck/term/wire"
)

// maxText is the longest text that is sent at once, in bytes.
const maxText = 1 << 20

// sendCmd is "deck send". Flags may follow the target, which is the order in
// which people think of them; a key that begins with "-" needs "--" before it.
func sendCmd(a *app) *cobra.Command {
	var text string
	var paste bool
	c := &cobra.Command{
		Use:        "send PANE [-l TEXT] [KEY...]",
		Short:      "type into a pane",
		SuggestFor: []string{"send-keys", "type"},
		Long: `Type into a pane. A KEY is the name of one (Enter, C-c, M-x, F5, Up) or text
that is no such name. With -l a text is typed as it is, before the keys; "-"
reads it from stdin.`,
		Example: `  deck send build 'make test' Enter
  deck send build C-c
  deck send build -l 'Enter' Enter      the word, then the key
  deck send build --paste -l - < notes.md`,
		Args:              atLeast("pane"),
		ValidArgsFunction: a.completeTarget,
		RunE: func(cmd *cobra.Command, args []string) error {
			literal := cmd.Flags().Changed("literal")
			switch {
			case !literal && paste:
				return &usageError{"--paste needs a text", helpHint(cmd)}
			case !literal && len(args) == 1:
				return &usageError{"missing keys", helpHint(cmd)}
			case literal && text == "-":
				var err error
				if text, err = readText(a.stdin); err != nil {
					return err
				}
			}
			if literal && text == "" {
				return usagef("nothing to send: the text is empty")
			}
			return a.send(cmd.Context(), args[0], text, paste, args[1:])
		},
	}
	c.Flags().StringVarP(&text, "literal", "l", "", "a `text` that is typed as it is")
	c.Flags().BoolVar(&paste, "paste", false, "the text is pasted, not typed")
	return c
}

// readText reads a text to send, and refuses one that a person cannot have
// meant to type.
func readText(r io.Reader) (string, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err != nil {
		return "", fmt.Errorf("read the text: %w", err)
	}
	if len(b) > maxText {
		return "", fmt.Errorf("the text is longer than %d bytes", maxText)
	}
	return string(b), nil
}

// send types the text, then the keys.
func (a *app) send(ctx context.Context, target, text string, paste bool, keys []string) error {
	c, err := a.running(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if text != "" {
		if err := c.Send(ctx, wire.Send{Target: target, Literal: text, Paste: paste}); err != nil {
			return err
		}
	}
	if len(keys) == 0 {
		return nil
	}
	return c.Send(ctx, wire.Send{Target: target, Keys: keys})
}
