package cli

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	memory "deck/context"
)

// maxToolTokens is what the descriptions of all tools may cost a model.
const maxToolTokens = 1500

func TestToolsAreFewAndShort(t *testing.T) {
	t.Parallel()
	client := mcpClient(t, &app{})
	list, err := client.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	want := []string{"agents", "context", "decide", "discover", "recall", "remember", "task_update"}
	if d := cmp.Diff(want, names); d != "" {
		t.Error(d)
	}
	text, err := json.Marshal(list.Tools)
	if err != nil {
		t.Fatal(err)
	}
	if n := memory.Tokens(string(text)); n > maxToolTokens {
		t.Errorf("the tools cost %d tokens, %d at most", n, maxToolTokens)
	}
}

func TestAToolsErrorIsAnAnswer(t *testing.T) {
	t.Parallel()
	a := &app{backend: backend{socketPath: func(string) (string, error) { return "", &hintedError{context.Canceled, "try again"} }}}
	client := mcpClient(t, a)
	got, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "recall", Arguments: map[string]any{"query": "words"}})
	if err != nil {
		t.Fatal(err)
	}
	text, ok := got.Content[0].(*mcp.TextContent)
	if !got.IsError || !ok || text.Text != "deck: context canceled\ndeck: hint: try again" {
		t.Errorf("%+v", got)
	}
}

// mcpClient is a client of the tools of a.
func mcpClient(t *testing.T, a *app) *mcp.ClientSession {
	t.Helper()
	near, far := mcp.NewInMemoryTransports()
	server, err := a.mcpServer().Connect(t.Context(), far, nil)
	if err != nil {
		t.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		_ = server.Wait()
	})
	return client
}
