package lifecycle

import (
	"bytes"
	_ "embed" // the schema
	"encoding/json"
	"math"
	"strconv"
	"time"
)

// MaxReport is the size of a report's body, in bytes.
const MaxReport = 8 << 10

// The time for which a report is believed.
const (
	DefaultTTL = 30 * time.Second
	MaxTTL     = 120 * time.Second
)

// Report is what a source says about an agent: the body of
// POST /v1/agent-reports. Encoding one gives that body.
type Report struct {
	Source     string   `json:"source"`
	Agent      string   `json:"agent"`
	State      State    `json:"state,omitempty"`  // empty: says nothing about it; Unknown takes the source's word back
	Reason     string   `json:"reason,omitempty"` // of NeedsInput and Blocked
	Detail     string   `json:"detail,omitempty"`
	Tool       string   `json:"tool,omitempty"`
	Request    string   `json:"request,omitempty"`    // one line: what a person is asked
	Helper     string   `json:"helper_id,omitempty"`  // about a sub-agent of that id instead of the agent itself
	Background bool     `json:"background,omitempty"` // tasks run beside the turn
	Confirm    bool     `json:"confirm,omitempty"`    // repeats what should be known: counts only if something else shows it
	TTLMillis  int64    `json:"ttl_ms,omitempty"`
	Seq        int64    `json:"seq,omitempty"` // order within source and session; 0: none
	Session    string   `json:"agent_session_id,omitempty"`
	Resume     []string `json:"resume_argv,omitempty"`
	Meta       *Meta    `json:"metadata,omitempty"`
	PaneID     string   `json:"pane_id,omitempty"`
}

//go:embed report.schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of a report. It says all that
// DecodeReport checks but the sizes in bytes and the agreement of resume_argv
// with agent.
func Schema() []byte { return bytes.Clone(schema) }

// TTL is how long the report is believed.
func (r Report) TTL() time.Duration {
	if r.TTLMillis <= 0 {
		return DefaultTTL
	}
	return min(time.Duration(r.TTLMillis)*time.Millisecond, MaxTTL)
}

// field is one key of the body: how its value is read, and the code if it
// cannot be.
type field struct {
	key  string
	code CodeError
	read func(*Report, json.RawMessage) CodeError
}

// fields are in the order in which faults are answered.
var fields = []field{
	{"source", InvalidSource, into(func(r *Report) any { return &r.Source })},
	{"agent", AgentMismatch, into(func(r *Report) any { return &r.Agent })},
	{"pane_id", SessionMismatch, into(func(r *Report) any { return &r.PaneID })},
	{"state", InvalidState, orNull(given(func(r *Report) *string { return (*string)(&r.State) }))},
	{"reason", InvalidReason, orNull(given(func(r *Report) *string { return &r.Reason }))},
	{"blocked_reason", InvalidReason, orNull(given(func(r *Report) *string { return &r.Reason }))},
	{"ttl_ms", InvalidTTL, integer(1, func(r *Report) *int64 { return &r.TTLMillis })},
	{"detail", InvalidDetail, into(func(r *Report) any { return &r.Detail })},
	{"tool", InvalidDetail, into(func(r *Report) any { return &r.Tool })},
	{"request", InvalidDetail, into(func(r *Report) any { return &r.Request })},
	{"helper_id", InvalidHelper, given(func(r *Report) *string { return &r.Helper })},
	{"background", InvalidDetail, into(func(r *Report) any { return &r.Background })},
	{"confirm", InvalidDetail, into(func(r *Report) any { return &r.Confirm })},
	{"seq", InvalidSequence, integer(0, func(r *Report) *int64 { return &r.Seq })},
	{"agent_session_id", InvalidSession, given(func(r *Report) *string { return &r.Session })},
	{"resume_argv", InvalidResume, readResume},
	{"metadata", InvalidMetadata, readMeta},
}

// DecodeReport reads a report strictly and validates it. The error is a
// CodeError. A dialog reported as blocked is filed as needs-input.
func DecodeReport(body []byte) (Report, error) {
	var r Report
	if len(body) > MaxReport {
		return r, BodyTooLarge
	}
	values, ok := object(body)
	if !ok {
		return r, InvalidJSON
	}
	known := 0
	for _, f := range fields {
		if _, ok := values[f.key]; ok {
			known++
		}
	}
	if known != len(values) {
		return r, UnknownField
	}
	if values["reason"] != nil && values["blocked_reason"] != nil {
		return r, InvalidReason
	}
	for _, f := range fields {
		raw, ok := values[f.key]
		if !ok {
			continue
		}
		code := f.read(&r, raw)
		if code == "bad" {
			code = f.code
		}
		if code != "" {
			return Report{}, code
		}
	}
	if r.State == Blocked && dialogs[r.Reason] {
		r.State = NeedsInput
	}
	if err := r.Validate(); err != nil {
		return Report{}, err
	}
	return r, nil
}

// object reads a JSON object and nothing behind it. A key given twice makes it
// invalid: readers differ in which one they take.
func object(data []byte) (map[string]json.RawMessage, bool) {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	values := map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, false
		}
		name, _ := key.(string)
		var v json.RawMessage
		if _, twice := values[name]; twice || d.Decode(&v) != nil {
			return nil, false
		}
		values[name] = v
	}
	if t, err := d.Token(); err != nil || t != json.Delim('}') {
		return nil, false
	}
	return values, !d.More() && len(bytes.TrimSpace(data[d.InputOffset():])) == 0
}

// into reads a value of the field's own type; null is none.
func into(at func(*Report) any) func(*Report, json.RawMessage) CodeError {
	return func(r *Report, raw json.RawMessage) CodeError {
		if string(raw) == "null" || json.Unmarshal(raw, at(r)) != nil {
			return "bad"
		}
		return ""
	}
}

// given reads a string that is not empty if its key is there.
func given(at func(*Report) *string) func(*Report, json.RawMessage) CodeError {
	read := into(func(r *Report) any { return at(r) })
	return func(r *Report, raw json.RawMessage) CodeError {
		if code := read(r, raw); code != "" || *at(r) == "" {
			return "bad"
		}
		return ""
	}
}

// orNull takes a null as an absent key.
func orNull(read func(*Report, json.RawMessage) CodeError) func(*Report, json.RawMessage) CodeError {
	return func(r *Report, raw json.RawMessage) CodeError {
		if string(raw) == "null" {
			return ""
		}
		return read(r, raw)
	}
}

// integer reads an integer of at least low, in any notation JSON has for it.
// What an int64 cannot hold becomes the largest.
func integer(low int64, at func(*Report) *int64) func(*Report, json.RawMessage) CodeError {
	return func(r *Report, raw json.RawMessage) CodeError {
		text := string(raw)
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			f, err := strconv.ParseFloat(text, 64)
			if text[0] == '"' || (err != nil && !math.IsInf(f, 0)) || f != math.Trunc(f) || f < float64(low) {
				return "bad"
			}
			n = math.MaxInt64
			if f < math.MaxInt64 {
				n = int64(f)
			}
		}
		if n < low {
			return "bad"
		}
		*at(r) = n
		return ""
	}
}

// readResume refuses nulls among the strings, which would read as empty ones.
func readResume(r *Report, raw json.RawMessage) CodeError {
	var argv []*string
	if string(raw) == "null" || json.Unmarshal(raw, &argv) != nil {
		return InvalidResume
	}
	r.Resume = []string{}
	for _, s := range argv {
		if s == nil {
			return InvalidResume
		}
		r.Resume = append(r.Resume, *s)
	}
	return ""
}

// readMeta reads the metadata object as strictly as the report around it.
func readMeta(r *Report, raw json.RawMessage) CodeError {
	values, ok := object(raw)
	if !ok {
		return InvalidMetadata
	}
	m := &Meta{}
	for key, v := range values {
		var at *string
		switch key {
		case "title":
			at = &m.Title
		case "display_agent":
			at = &m.DisplayAgent
		case "state_label":
			at = &m.StateLabel
		case "tokens":
			continue
		default:
			return UnknownField
		}
		if string(v) == "null" || json.Unmarshal(v, at) != nil {
			return InvalidMetadata
		}
	}
	if v, ok := values["tokens"]; ok {
		if m.Tokens, ok = readTokens(v); !ok {
			return InvalidTokens
		}
	}
	r.Meta = m
	return ""
}

// readTokens keeps numbers as they were written.
func readTokens(raw json.RawMessage) (map[string]string, bool) {
	values, ok := object(raw)
	if !ok {
		return nil, false
	}
	if len(values) == 0 {
		return nil, true
	}
	tokens := map[string]string{}
	for key, v := range values {
		var s string
		switch {
		case v[0] == '"' && json.Unmarshal(v, &s) == nil:
			tokens[key] = s
		case v[0] == '-' || v[0] >= '0' && v[0] <= '9':
			tokens[key] = string(v)
		default:
			return nil, false
		}
	}
	return tokens, true
}
