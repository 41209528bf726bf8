package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"deck/lifecycle"
	"deck/term/wire"
)

// errorCode is one row of "deck schema errors".
type errorCode struct {
	Code   string `json:"code"`
	Status int    `json:"status"`
}

// schemaCmd is "deck schema": what programs that talk to deck can rely on.
func schemaCmd(a *app) *cobra.Command {
	return group("schema", "print what programs that talk to deck can rely on", schemaReportCmd(a), schemaErrorsCmd(a))
}

func schemaReportCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "agent-report",
		Short: "print the JSON Schema of a report about an agent",
		Args:  exactly(),
		RunE: func(*cobra.Command, []string) error {
			_, err := a.stdout.Write(lifecycle.Schema())
			return err
		},
	}
}

func schemaErrorsCmd(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "errors",
		Short: "list the codes of errors and their HTTP statuses",
		Args:  exactly(),
		RunE: func(*cobra.Command, []string) error {
			var rows []errorCode
			for _, code := range wire.Codes() {
				rows = append(rows, errorCode{code, wire.HTTPStatus(code)})
			}
			return printRows(a, asJSON, rows, nil, "code", errorTable)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func errorTable(rows []errorCode) *table {
	t := &table{head: []string{"CODE", "STATUS"}}
	for _, r := range rows {
		t.add(r.Code, strconv.Itoa(r.Status))
	}
	return t
}
