package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"deck/lifecycle"
	"deck/term/wire"
)

// promptCmd is "deck prompt".
func promptCmd(a *app) *cobra.Command {
	var s wire.SubmitPrompt
	var timeout time.Duration
	var asJSON bool
	c := &cobra.Command{
		Use:   "prompt HANDLE TEXT",
		Short: "give an agent that was started a prompt",
		Long: `Give an agent that deck start has started a prompt, and print the prompt's
handle at once. It is submitted exactly once, as soon as the agent's input line
is empty; refused while another prompt is open. "-" reads it from stdin.`,
		Example: `  deck prompt ag_7f30c1a9e2d4 "run the tests and tell what fails"
  deck prompt ag_7f30c1a9e2d4 - < task.md`,
		Args: exactly("handle", "text"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.Timeout = timeout.Milliseconds(); timeout < 0 || cmd.Flags().Changed("timeout") && s.Timeout == 0 {
				return usagef("not a time to wait: %s", timeout)
			}
			s.Handle, s.Text = args[0], args[1]
			if s.Text == "-" {
				var err error
				if s.Text, err = readText(a.stdin); err != nil {
					return err
				}
			}
			return a.prompt(cmd.Context(), s, asJSON)
		},
	}
	c.Flags().DurationVar(&timeout, "timeout", 0, "it fails if it could not be submitted after so long")
	c.Flags().BoolVar(&asJSON, "json", false, "print the prompt as JSON")
	_ = c.RegisterFlagCompletionFunc("timeout", cobra.NoFileCompletions)
	return c
}

func (a *app) prompt(ctx context.Context, s wire.SubmitPrompt, asJSON bool) error {
	c, err := a.running(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	p, err := c.SubmitPrompt(ctx, s)
	switch {
	case err != nil:
		return err
	case asJSON:
		return printJSON(a.stdout, p)
	}
	if w := whyWaits[p.Why]; w != "" {
		_, _ = fmt.Fprintf(a.stderr, "deck: it waits: %s\n", w)
	}
	_, err = fmt.Fprintln(a.stdout, oneLine(p.Prompt))
	return err
}

// waitCmd is "deck wait".
func waitCmd(a *app) *cobra.Command {
	var timeout time.Duration
	var asJSON bool
	c := &cobra.Command{
		Use:   "wait PROMPT...",
		Short: "wait for what comes of prompts",
		Long: `Wait until every prompt has a result: its turn ended, or somebody has to answer
or to decide first. Prints one result per prompt, in the order given, with what
the agent answered. The agents stay.

Exit status: 0 every turn ended, 2 not in time, 3 a prompt failed or was
cancelled, 4 an agent needs input or is blocked.`,
		Example: `  deck wait pr_0c1a9e2d47f3 pr_9e2d47f30c1a --timeout 30m
  deck wait pr_0c1a9e2d47f3 --json | jq -r .[0].response`,
		Args: atLeast("prompt"),
		RunE: func(cmd *cobra.Command, args []string) error {
			w := wire.WaitPrompts{Prompts: args, Timeout: timeout.Milliseconds()}
			if timeout < 0 || timeout > 0 && w.Timeout == 0 {
				return usagef("not a time to wait: %s", timeout)
			}
			return a.waitPrompts(cmd.Context(), w, asJSON)
		},
	}
	c.Flags().DurationVar(&timeout, "timeout", 10*time.Minute, "how long; 0 is for ever")
	c.Flags().BoolVar(&asJSON, "json", false, "print the results as JSON")
	_ = c.RegisterFlagCompletionFunc("timeout", cobra.NoFileCompletions)
	return c
}

func (a *app) waitPrompts(ctx context.Context, w wire.WaitPrompts, asJSON bool) error {
	c, err := a.running(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	results, err := c.WaitPrompts(ctx, w)
	if err != nil {
		return err
	}
	if asJSON {
		err = printJSON(a.stdout, results)
	} else {
		err = a.printResults(results)
	}
	if code := resultsCode(results); err == nil && code != 0 {
		return exitError(code)
	}
	return err
}

// printResults prints a line for each result, and its text below.
func (a *app) printResults(results []wire.PromptResult) error {
	for _, r := range results {
		line := r.Prompt + " " + string(r.Outcome) + because(r.Reason)
		switch {
		case r.Why != "" && r.Outcome != lifecycle.ResultNeedsInput && r.Outcome != lifecycle.ResultBlocked:
			line += ": " + r.Why
		case r.Request.Summary != "":
			line += ": " + r.Request.Summary
		}
		if _, err := fmt.Fprintln(a.stdout, oneLine(line)); err != nil {
			return err
		}
		if err := a.printResponse(r.Response); err != nil {
			return err
		}
	}
	return nil
}

// printResponse prints what an agent said, cleaned row by row.
func (a *app) printResponse(text string) error {
	if text == "" {
		return nil
	}
	rows := strings.Split(text, "\n")
	for i, r := range rows {
		rows[i] = clean(r)
	}
	_, err := fmt.Fprintln(a.stdout, strings.Join(rows, "\n"))
	return err
}

// resultsCode is the exit status of a wait: that of the worst result.
func resultsCode(results []wire.PromptResult) int {
	code := 0
	for _, r := range results {
		switch r.Outcome {
		case lifecycle.ResultTimeout:
			code = max(code, 2)
		case lifecycle.ResultFailed, lifecycle.ResultCancelled:
			return 3
		case lifecycle.ResultNeedsInput, lifecycle.ResultBlocked:
			code = max(code, 4)
		}
	}
	return code
}

// readCmd is "deck read".
func readCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "read HANDLE",
		Short: "print what an agent answered last",
		Example: `  deck read ag_7f30c1a9e2d4
  deck read ag_7f30c1a9e2d4 --json | jq -r .response`,
		Args: exactly("handle"),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := a.running(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			r, err := c.ReadPrompt(cmd.Context(), args[0])
			switch {
			case err != nil:
				return err
			case asJSON:
				return printJSON(a.stdout, r)
			case r.Settled == "" || r.Outcome == "":
				return fmt.Errorf("there is no answer yet: %s is open", r.Prompt)
			}
			return a.printResponse(r.Response)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the prompt and its result as JSON")
	return c
}

// pruneCmd is "deck prune".
func pruneCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "prune",
		Short: "close the panes whose program has ended",
		Long: `Close the panes whose program has ended. An agent closes those of the agents
that it has started.`,
		Example: "  deck prune",
		Args:    exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.running(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			n, err := c.Prune(cmd.Context())
			if err == nil {
				_, err = fmt.Fprintf(a.stderr, "deck: %d closed\n", n)
			}
			return err
		},
	}
}
