package cli

import (
	"bytes"
	"context"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"deck/term/wire"
)

// mcpCmd is "deck mcp".
func mcpCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "offer the memory to an agent as tools (MCP, on stdio)",
		Long: `Offer the memory to an agent as tools, by the Model Context Protocol on stdin
and stdout: recall, remember, discover, decide, context, task_update, agents.
They are about the project of the folder it is started in.`,
		Example: `  claude mcp add deck -- deck mcp
  codex mcp add deck -- deck mcp`,
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.mcpServer().Run(cmd.Context(), &mcp.IOTransport{Reader: a.stdin, Writer: keepOpen{a.stdout}})
		},
	}
}

// keepOpen keeps stdout from being closed by the transport.
type keepOpen struct{ io.Writer }

// Close does nothing.
func (keepOpen) Close() error { return nil }

// The arguments of the tools. Their descriptions are read by models with every
// request, so they are short.
type (
	mcpRecall struct {
		Query   string `json:"query" jsonschema:"plain words, identifiers or paths"`
		Project string `json:"project,omitempty" jsonschema:"search as if in this project"`
		Kind    string `json:"kind,omitempty" jsonschema:"fact, discovery or decision"`
		N       int    `json:"n,omitempty" jsonschema:"most hits, 10 if not given"`
	}
	mcpRemember struct {
		Fact  string   `json:"fact" jsonschema:"one self-contained statement"`
		Files []string `json:"files,omitempty" jsonschema:"files it is about: path or path:12-40"`
		Tags  []string `json:"tags,omitempty"`
	}
	mcpDiscover struct {
		Finding string   `json:"finding"`
		Type    string   `json:"type,omitempty" jsonschema:"bug, gotcha, performance, …"`
		Files   []string `json:"files,omitempty" jsonschema:"path or path:12-40"`
	}
	mcpDecide struct {
		Title  string   `json:"title" jsonschema:"what was decided"`
		Reason string   `json:"reason,omitempty" jsonschema:"why"`
		Files  []string `json:"files,omitempty" jsonschema:"path or path:12-40"`
	}
	mcpContext struct {
		Query string `json:"query,omitempty" jsonschema:"what the work is about"`
	}
	mcpTask struct {
		Status *string `json:"status,omitempty" jsonschema:"a word or two: started, blocked, done"`
		Task   *string `json:"task,omitempty" jsonschema:"what is to be done; another text begins a new task"`
		Step   *string `json:"step,omitempty" jsonschema:"where it is"`
		Next   *string `json:"next,omitempty" jsonschema:"the next action"`
		Tests  *string `json:"tests,omitempty" jsonschema:"how the tests are"`
		Error  *string `json:"error,omitempty" jsonschema:"what is in the way"`
	}
	mcpAgents struct{}
)

// mcpServer has the tools. Each does what the verb of its name does, and answers with
// what that prints.
func (a *app) mcpServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "deck", Title: "deck's project memory", Version: wire.Version}, &mcp.ServerOptions{
		Instructions: "What earlier sessions learned about this project. Notes may be out of date: those marked stale cite files that changed.",
		Capabilities: &mcp.ServerCapabilities{},
	})
	tool(a, s, "recall", "Find notes of earlier sessions by words. Ask before you explore.", true, (*app).mcpRecall)
	tool(a, s, "context", "Task, decisions and knowledge of this project, for the start of work.", true, func(a *app, ctx context.Context, in mcpContext) error {
		at, err := place("")
		if err != nil {
			return err
		}
		return a.context(ctx, wire.GetContext{Place: at, Query: in.Query}, false)
	})
	tool(a, s, "remember", "Store a fact that later sessions need and the code does not say. No secrets.", false,
		func(a *app, ctx context.Context, in mcpRemember) error {
			return a.remember(ctx, noteOptions{Remember: wire.Remember{Kind: "fact", Text: in.Fact, Files: in.Files, Tags: in.Tags}})
		})
	tool(a, s, "discover", "Store something found out the hard way: a bug, a trap, a measurement.", false,
		func(a *app, ctx context.Context, in mcpDiscover) error {
			return a.remember(ctx, noteOptions{Remember: wire.Remember{Kind: "discovery", Text: in.Finding, Type: in.Type, Files: in.Files}})
		})
	tool(a, s, "decide", "Store a decision and its reason.", false, func(a *app, ctx context.Context, in mcpDecide) error {
		return a.remember(ctx, noteOptions{Remember: wire.Remember{Kind: "decision", Title: in.Title, Reason: in.Reason, Files: in.Files}})
	})
	tool(a, s, "task_update", "Record how far the task of this checkout is. What is not given stays.", false,
		func(a *app, ctx context.Context, in mcpTask) error {
			at, err := place("")
			if err != nil {
				return err
			}
			return a.updateTask(ctx, wire.UpdateTask{Place: at, Status: in.Status, Task: in.Task, Step: in.Step, Next: in.Next,
				Tests: in.Tests, Error: in.Error}, false)
		})
	tool(a, s, "agents", "What the agents in deck's panes are doing.", true, func(a *app, ctx context.Context, _ mcpAgents) error {
		return a.agents(ctx, false, false)
	})
	return s
}

func (a *app) mcpRecall(ctx context.Context, in mcpRecall) error {
	o := recallOptions{Recall: wire.Recall{Query: in.Query, N: in.N}, project: in.Project}
	if in.Kind != "" {
		o.Kinds = []string{in.Kind}
	}
	if o.N == 0 {
		o.N = 10
	}
	return a.recall(ctx, o)
}

// tool adds a tool that runs a verb and answers with what it prints.
func tool[In any](a *app, s *mcp.Server, name, description string, readOnly bool, run func(*app, context.Context, In) error) {
	no := false // nothing is destroyed, and all of it stays on this machine
	t := &mcp.Tool{Name: name, Description: description,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: readOnly, DestructiveHint: &no, OpenWorldHint: &no}}
	mcp.AddTool(s, t, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		var out bytes.Buffer
		own := *a
		own.stdin, own.stdout, own.stderr = nil, &out, &out
		if err := run(&own, ctx, in); err != nil {
			report(&out, err)
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: strings.TrimSpace(out.String())}}}, nil, nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.TrimSpace(out.String())}}}, nil, nil
	})
}
