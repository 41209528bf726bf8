package server

import (
	"encoding/json"
	"net/http"
	"strings"

	"deck/term/wire"
)

// events answers with a snapshot and every change after it, one JSON object a
// line, or as server-sent events where the request accepts those. It ends with
// the request, with the server, or when the reader is too slow.
func (s *server) events(w http.ResponseWriter, r *http.Request) {
	s.guests.watches(r)
	sub, err := s.loop.subscribe(r.Context())
	if err != nil {
		answerError(w, err)
		return
	}
	defer s.loop.unsubscribe(sub)
	prefix, ending, kind := "", "\n", "application/x-ndjson"
	if strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		prefix, ending, kind = "data: ", "\n\n", "text/event-stream"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	for {
		var e wire.Event
		var ok bool
		select {
		case e, ok = <-sub.events:
		case <-r.Context().Done():
			return
		}
		if !ok {
			return
		}
		line, err := json.Marshal(e)
		if err != nil {
			s.log.Error("event not sent", "type", e.Type, "err", err)
			return
		}
		if _, err := w.Write([]byte(prefix + string(line) + ending)); err != nil {
			return
		}
		if len(sub.events) == 0 && out.Flush() != nil {
			return
		}
	}
}
