package wire

// Event is one line of GET /v1/events. The first is a snapshot; the others are
// changes after it, none missing.
type Event struct {
	Type    string   `json:"type"` // snapshot, pane, pane_closed, layout, status, alert, message, clash, client, client_gone, lost
	Seq     uint64   `json:"seq"`  // counts up by one
	Time    string   `json:"time"` // RFC 3339
	Panes   []Pane   `json:"panes,omitempty"`
	Pane    *Pane    `json:"pane,omitempty"`
	ID      string   `json:"id,omitempty"` // of what is gone
	Client  string   `json:"client,omitempty"`
	Session string   `json:"session,omitempty"`
	Agent   *Agent   `json:"agent,omitempty"`  // of status and alert
	For     string   `json:"for,omitempty"`    // of alert: the pane of the agent that is to see to it
	Agents  []Agent  `json:"agents,omitempty"` // of snapshot
	Mail    *Message `json:"mail,omitempty"`   // of message, without its text
	File    string   `json:"file,omitempty"`   // of clash: what the agent of ID has changed
	With    []string `json:"with,omitempty"`   // of clash: the panes whose agents changed it a moment ago
	// Message of lost, the last line for a reader that was too slow.
	Message string `json:"message,omitempty"`
}
