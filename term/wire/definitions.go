package wire

import (
	"context"
	"net/http"
	"net/url"
)

// Definition is a row of GET /v1/agents/definitions?dir=PATH: an agent with a part
// to play, as a file describes it.
type Definition struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	Agent       string   `json:"agent,omitempty"`
	Model       string   `json:"model,omitempty"`
	Tools       []string `json:"tools,omitempty"`
	Path        string   `json:"path"`
	From        string   `json:"from"` // "project" or "user"
	Trusted     bool     `json:"trusted"`
	Told        string   `json:"told,omitempty"`  // how its prompt reaches the agent: "argument" or "first-prompt"
	Error       string   `json:"error,omitempty"` // why it can't be used
}

// Trust is POST /v1/trust: a person's word that deck may use a file of a project,
// as it is. Whatever changes it takes the word back.
type Trust struct {
	Path string `json:"path"`
	Sum  string `json:"sum"` // SHA-256 of the bytes that the person has read, in hexadecimal
}

// The codes of errors about definitions.
const (
	CodeNoDefinition  = "definition_not_found" // 404: neither an agent nor a definition
	CodeBadDefinition = "definition_invalid"   // 422: its file can't be used
	CodeNotTrusted    = "not_trusted"          // 403: no person has trusted the project's file as it is
)

// Definitions lists those that can be started in a folder.
func (c *Conn) Definitions(ctx context.Context, dir string) ([]Definition, error) {
	return call[[]Definition](ctx, c, http.MethodGet, "/v1/agents/definitions?"+url.Values{"dir": {dir}}.Encode(), nil)
}

// Trust lets deck use a file of a project.
func (c *Conn) Trust(ctx context.Context, t Trust) error {
	_, err := call[Done](ctx, c, http.MethodPost, "/v1/trust", t)
	return err
}
