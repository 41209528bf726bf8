package hooks

import (
	"bytes"
	"encoding/json"
	"strconv"

	"deck/lifecycle"
)

// TailSize is how much of a transcript's end is looked at, in bytes.
const TailSize = 64 << 10

// contextToken is the key of a report's metadata for the percentage of the
// context that is used.
const contextToken = "context"

// ReadsTranscript reports whether the end of a transcript tells something.
func (a Agent) ReadsTranscript() bool { return a.usage != nil }

// AddUsage adds to the outcome what the end of its transcript tells: how full
// the context is.
func (a Agent) AddUsage(o Outcome, tail []byte) Outcome {
	if a.usage == nil || len(o.Reports) == 0 {
		return o
	}
	o.Reports[0].Meta = usedMeta(a.usage(tail))
	return o
}

// usedMeta is the metadata of a context that is used to so many percent, nil for
// what is no such number.
func usedMeta(percent int) *lifecycle.Meta {
	if percent <= 0 || percent > 100 {
		return nil
	}
	return &lifecycle.Meta{Tokens: map[string]string{contextToken: strconv.Itoa(percent)}}
}

// codexUsage is the percentage of the context that the last turn in a rollout
// used, 0 if it does not tell.
func codexUsage(tail []byte) int {
	for len(tail) > 0 {
		at := bytes.LastIndexByte(bytes.TrimRight(tail, "\n"), '\n')
		line := tail[at+1:]
		tail = tail[:max(at, 0)]
		if !bytes.Contains(line, []byte(`"token_count"`)) {
			continue
		}
		var l struct {
			Payload struct {
				Type string
				Info struct {
					Last struct {
						Total int `json:"total_tokens"`
					} `json:"last_token_usage"`
					Window int `json:"model_context_window"`
				}
			}
		}
		if json.Unmarshal(line, &l) == nil && l.Payload.Type == "token_count" && l.Payload.Info.Window > 0 {
			return 100 * l.Payload.Info.Last.Total / l.Payload.Info.Window
		}
	}
	return 0
}
