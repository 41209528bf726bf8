package wire

import (
	"context"
	"net/http"
	"strconv"
)

// Allow is POST /v1/allowed: a person's word that the agent of one pane may act
// on another pane, which it did not open: once, or always. Never takes it back.
type Allow struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Always bool   `json:"always,omitempty"`
	Never  bool   `json:"never,omitempty"`
}

// Allowed is a row of GET /v1/allowed, and answers Allow.
type Allowed struct {
	From   string `json:"from"` // a nick, like To
	To     string `json:"to"`
	Always bool   `json:"always,omitempty"`
}

// Audited is a row of GET /v1/audit?n=N: something that somebody did to a pane, or
// wanted to. It says nothing of what was typed or told.
type Audited struct {
	Time   string `json:"time"`             // RFC 3339
	By     Party  `json:"by"`               // without a pane: a person outside of all panes
	Person bool   `json:"person,omitempty"` // By is a person
	Verb   string `json:"verb"`
	To     Party  `json:"to,omitzero"`
	Code   string `json:"refused,omitempty"` // the code of the refusal; empty: it was done
}

// Party is one side of what was done.
type Party struct {
	Pane  string `json:"pane,omitempty"`
	Nick  string `json:"nick,omitempty"`
	Agent string `json:"agent,omitempty"`
}

// Allow lets one pane's agent act on another pane, or no more.
func (c *Conn) Allow(ctx context.Context, a Allow) (Allowed, error) {
	return call[Allowed](ctx, c, http.MethodPost, "/v1/allowed", a)
}

// Allowances lists what is allowed.
func (c *Conn) Allowances(ctx context.Context) ([]Allowed, error) {
	return call[[]Allowed](ctx, c, http.MethodGet, "/v1/allowed", nil)
}

// Audit lists the last n acts, the newest last.
func (c *Conn) Audit(ctx context.Context, n int) ([]Audited, error) {
	return call[[]Audited](ctx, c, http.MethodGet, "/v1/audit?n="+strconv.Itoa(n), nil)
}
