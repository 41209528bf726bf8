package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"
)

// UpgradeOffer is the protocol that POST /v1/agent-offers goes on with where it has
// a text.
const UpgradeOffer = "deck-offer/1"

// AgentTake is POST /v1/agent-offers, known by the pane's token alone: a hook can
// give its agent a text with its answer. Where one waits, the server sends an
// AgentOffer on the connection, and the hook an AgentTook once it is written. A
// connection that ends without that has told the agent nothing.
type AgentTake struct {
	Agent   string `json:"agent"`
	Session string `json:"agent_session_id,omitempty"`
	Seq     int64  `json:"seq,omitempty"`  // of the hook, as in its reports
	Ends    bool   `json:"ends,omitempty"` // the turn is over, and goes on with the text
}

// AgentOffer is what an agent is to be told.
type AgentOffer struct {
	Text string `json:"text"`
}

// AgentTook says that the text of an offer was written.
type AgentTook struct {
	Took bool `json:"took"`
}

// maxOffer bounds what is read of an offer, in bytes.
const maxOffer = 64 << 10

// tookTime is how long the server may take to hear that a text was written.
const tookTime = 2 * time.Second

// TakeOffer asks for what waits for the pane's agent, gives it to write and tells
// the server that it was written. Nothing is written once ctx is over; what was
// written is told the server all the same.
func (c *Conn) TakeOffer(ctx context.Context, t AgentTake, write func(text string) error) (took bool, err error) {
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, cancel)
	defer stop()
	conn, err := c.offered(own, t)
	if err != nil || conn == nil {
		return false, err
	}
	defer conn.Close()
	var o AgentOffer
	if err := json.NewDecoder(io.LimitReader(conn, maxOffer)).Decode(&o); err != nil || !stop() {
		return false, err
	}
	if err := write(o.Text); err != nil {
		return false, err
	}
	defer time.AfterFunc(tookTime, cancel).Stop()
	if err := json.NewEncoder(conn).Encode(AgentTook{Took: true}); err != nil {
		return true, plain(err)
	}
	_, _ = io.Copy(io.Discard, conn) // it ends when the server has heard it
	return true, nil
}

// offered asks for an offer and returns its connection, nil where nothing waits.
func (c *Conn) offered(ctx context.Context, t AgentTake) (io.ReadWriteCloser, error) {
	b, err := json.Marshal(t)
	if err != nil {
		return nil, err
	}
	req, err := c.request(ctx, http.MethodPost, "/v1/agent-offers", bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", UpgradeOffer)
	r, err := c.http.Do(req)
	if err != nil {
		return nil, plain(err)
	}
	conn, ok := r.Body.(io.ReadWriteCloser)
	if r.StatusCode != http.StatusSwitchingProtocols || !ok {
		defer r.Body.Close()
		if r.StatusCode/100 != 2 {
			return nil, answerError(r)
		}
		return nil, nil
	}
	return conn, nil
}
