// Package mock is a model service for tests: it answers the requests of coding
// agents in four dialects (Anthropic Messages, OpenAI Responses, OpenAI Chat
// Completions, Gemini generateContent) as a prompt tells it to. A prompt is a
// line "please VERB WORD: ARGUMENT"; the turn it begins ends with the text
// "Finished WORD.", unless somebody stops it. The verbs:
//
//	run         one shell command, ARGUMENT
//	background  the same, left running after the turn
//	read        read the file ARGUMENT
//	edit        read the file ARGUMENT, then change its first word
//	ask         a question with two answers
//	steps       one shell command after the other: the lines of the file ARGUMENT;
//	            one that begins with a tab goes on with the command before
//	skill       use the skill ARGUMENT
//	stream      a text that comes word by word until the agent hangs up
//	fail        an error: an HTTP status, ARGUMENT
//
// Anything else is answered with "Finished nothing.".
package mock

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Ask is one request of a turn, reduced to what its answer depends on.
type Ask struct {
	Verb, Word, Arg string
	Before          string // what stands in the prompt's line before it
	Round           int    // results of tools since the prompt
	Body            string // the whole request

	tools  map[string]string // offered: name → kind, "function" or "custom"
	stream bool
	json   bool // wants JSON, not prose
	model  string
	id     string
}

// Aside reports whether the request is not of the turn itself: agents ask for a
// title beside it, which they want as JSON.
func (a Ask) Aside() bool { return a.json }

// Server answers requests. Before is told of each request of a turn before it
// is answered, from that request's goroutine; it may be nil and is set before
// the first one.
type Server struct {
	Before func(Ask)

	count atomic.Int64
}

// call is one call of a tool in an agent's own words. A custom tool takes text,
// the others take args.
type call struct {
	name   string
	args   map[string]any
	text   string
	custom bool
}

// answer is what the model says.
type answer struct {
	text string
	drip bool // word by word until the agent hangs up
	call *call
	fail int // HTTP status, 0: none
}

// order is a prompt. Agents put marks before what a person typed, and may quote
// it.
var order = regexp.MustCompile(`(?m)^(.*?)\bplease (run|background|read|edit|ask|steps|skill|stream|fail) (\w+)(?:: (.*?))?["\s]*$`)

// said takes a text of the person's side: the last order in it counts.
func (a *Ask) said(text string) {
	if all := order.FindAllStringSubmatch(text, -1); all != nil {
		m := all[len(all)-1]
		a.Before, a.Verb, a.Word, a.Arg, a.Round = m[1], m[2], m[3], m[4], 0
	}
}

// answer is what follows on a. A request that offers no tools is not of the
// turn: agents ask for titles and classifications so.
func (a *Ask) answer() answer {
	switch {
	case len(a.tools) == 0 && a.json:
		b, _ := json.Marshal(map[string]any{"title": "A test", "isNewTopic": false, "next_speaker": "user", "reasoning": "none", "model_choice": "flash",
			"complexity_reasoning": "none", "complexity_score": 1})
		return answer{text: string(b)}
	case len(a.tools) == 0:
		return answer{text: "A test"}
	case a.Verb == "stream":
		return answer{drip: true}
	case a.Verb == "fail":
		status, _ := strconv.Atoi(a.Arg)
		return answer{fail: max(status, http.StatusBadRequest)}
	}
	if calls := a.calls(); a.Round < len(calls) {
		return answer{text: "Next step.", call: calls[a.Round]}
	}
	word := a.Word
	if word == "" {
		word = "nothing"
	}
	return answer{text: "Finished " + word + "."}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var m object
	_ = json.Unmarshal(body, &m)
	path := r.URL.Path
	serve := func(read func(*Ask, object), write func(*reply, *Ask, answer)) {
		a := &Ask{Body: string(body), tools: map[string]string{}, id: fmt.Sprintf("%06d", s.count.Add(1)), model: m.text("model"), stream: m["stream"] == true || strings.Contains(path, ":stream")}
		read(a, m)
		if len(a.tools) > 0 && s.Before != nil {
			s.Before(*a)
		}
		say := a.answer()
		if say.fail != 0 {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(say.fail)
			_, _ = fmt.Fprintf(w, `{"type":"error","error":{"type":"api_error","code":%d,"message":"refused by the mock","status":"UNAVAILABLE"}}`, say.fail)
			return
		}
		write(&reply{w: w, r: r}, a, say)
	}
	switch post := r.Method == http.MethodPost; {
	case post && strings.HasSuffix(path, "/messages"):
		serve(readMessages, writeMessages)
	case post && strings.HasSuffix(path, "/responses"):
		serve(readResponses, writeResponses)
	case post && strings.HasSuffix(path, "/chat/completions"):
		serve(readChat, writeChat)
	case strings.Contains(path, "enerateContent"):
		serve(readGemini, writeGemini)
	case strings.HasSuffix(path, "/count_tokens"):
		plain(w, object{"input_tokens": 100})
	case strings.Contains(path, ":countTokens"):
		plain(w, object{"totalTokens": 100})
	case strings.HasSuffix(path, "/models"):
		plain(w, object{"object": "list", "data": []any{object{"id": "mock-1", "object": "model", "created": 1, "owned_by": "mock"}}, "models": []any{}, "has_more": false})
	default:
		plain(w, object{})
	}
}

// object is a JSON object.
type object map[string]any

func (o object) text(key string) string { s, _ := o[key].(string); return s }

func (o object) list(key string) []object { return objects(o[key]) }

func (o object) object(key string) object { m, _ := o[key].(map[string]any); return m }

func objects(v any) []object {
	var all []object
	list, _ := v.([]any)
	for _, e := range list {
		m, _ := e.(map[string]any)
		all = append(all, m)
	}
	return all
}

// prose joins the texts of a message's content, which is a string or parts.
func prose(content any) string {
	if s, ok := content.(string); ok {
		return s
	}
	var b strings.Builder
	for _, part := range objects(content) {
		b.WriteString(part.text("text") + "\n")
	}
	return b.String()
}

func plain(w http.ResponseWriter, v object) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// reply writes one answer.
type reply struct {
	w    http.ResponseWriter
	r    *http.Request
	open bool
}

// event sends one server-sent event; an empty name leaves that line out.
func (p *reply) event(name string, v object) {
	if !p.open {
		p.w.Header().Set("Content-Type", "text/event-stream")
		p.open = true
	}
	if name != "" {
		_, _ = fmt.Fprintf(p.w, "event: %s\n", name)
	}
	b, _ := json.Marshal(v)
	_, _ = fmt.Fprintf(p.w, "data: %s\n\n", b)
	if f, ok := p.w.(http.Flusher); ok {
		f.Flush()
	}
}

// pace is between two words of a text that drips.
const pace = 80 * time.Millisecond

// words gives a text to send piece by piece. One that drips ends when the agent
// hangs up, and false says so.
func (p *reply) words(say answer, send func(string)) bool {
	if !say.drip {
		send(say.text)
		return true
	}
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for n := 1; ; n++ {
		send(fmt.Sprintf("word%d ", n))
		select {
		case <-tick.C:
		case <-p.r.Context().Done():
			return false
		}
	}
}
