package wire

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// Watch is a stream of events: a snapshot, then every change after it.
type Watch struct {
	body io.ReadCloser
	r    *bufio.Reader
}

// Events begins to watch the server. The context ends the stream.
func (c *Conn) Events(ctx context.Context) (*Watch, error) {
	r, err := c.roundTrip(ctx, http.MethodGet, "/v1/events", nil)
	if err != nil {
		return nil, err
	}
	return &Watch{body: r.Body, r: bufio.NewReaderSize(r.Body, 64<<10)}, nil
}

// Next returns the next event, decoded and as the line it came in. It returns
// io.EOF when the server has ended the stream.
func (w *Watch) Next() (Event, []byte, error) {
	line, err := w.r.ReadBytes('\n')
	if err != nil {
		return Event{}, nil, err
	}
	var e Event
	if err := json.Unmarshal(line, &e); err != nil {
		return Event{}, nil, fmt.Errorf("event: %w", err)
	}
	return e, line, nil
}

// Close ends the stream.
func (w *Watch) Close() error { return w.body.Close() }
