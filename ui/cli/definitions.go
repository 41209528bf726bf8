package cli

import (
	"context"

	"deck/term/wire"
)

// definitions lists what can be started in a folder besides the agents
// themselves.
func (a *app) definitions(ctx context.Context, dir string, args []string, asJSON bool) error {
	if len(args) > 0 {
		return usagef("unexpected argument: %s", args[0])
	}
	dir, err := folder(dir)
	if err != nil {
		return err
	}
	c, err := a.ensure(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	list, err := c.Definitions(ctx, dir)
	switch {
	case err != nil:
		return err
	case asJSON:
		return printJSON(a.stdout, list)
	}
	t := &table{head: []string{"NAME", "AGENT", "MODEL", "FILE", "DESCRIPTION"}}
	for _, d := range list {
		t.add(d.Name, d.Agent, d.Model, a.tilde(d.Path), definitionSays(d))
	}
	return t.print(a.stdout)
}

// definitionSays is what a definition says of itself, or why it can't be used.
func definitionSays(d wire.Definition) string {
	if d.Error != "" {
		return "(" + d.Error + ")"
	}
	return d.Description
}
