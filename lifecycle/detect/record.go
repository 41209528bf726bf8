package detect

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Record is one report of the program status protocol (OSC 7501, revision 0.4).
type Record struct {
	ID       string // path of a child, its parts joined by "/"; empty is the program itself
	State    string // idle, working, blocked, done, error or clear
	Kind     string // of blocked: permission, question, auth, or not said
	App      string // the program's name for machines
	Title    string // what the record is about; from outside, to be cleaned when shown
	Message  string // one line on its state; from outside, to be cleaned when shown
	Progress int    // percent, -1 where not said
}

// The protocol's limits, in bytes; texts are counted decoded.
const (
	maxRecordBody  = 4096
	maxRecordTitle = 192
	maxRecordMsg   = 2048
	maxRecordID    = 128
	maxRecordDepth = 8
	maxRecordName  = 32
)

// errNoState is a report without the one key that it must have.
var errNoState = errors.New("no state")

// ParseRecord reads the body of OSC 7501, "key=value" pairs joined by ":". A
// report with anything invalid in it is an error as a whole; keys that are not
// known are passed over, for those that come later.
func ParseRecord(body []byte) (Record, error) {
	r := Record{Progress: -1}
	if len(body) > maxRecordBody {
		return Record{}, fmt.Errorf("longer than %d bytes", maxRecordBody)
	}
	for pair := range strings.SplitSeq(string(body), ":") {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			if pair == "" {
				continue
			}
			return Record{}, fmt.Errorf("not a pair: %.40q", pair)
		}
		if err := r.set(key, value); err != nil {
			return Record{}, err
		}
	}
	switch {
	case r.State == "":
		return Record{}, errNoState
	case r.Kind != "" && r.State != "blocked":
		return Record{}, fmt.Errorf("kind with state %s", r.State)
	case r.Progress >= 0 && r.State != "working" && r.State != "blocked":
		return Record{}, fmt.Errorf("progress with state %s", r.State)
	}
	return r, nil
}

func (r *Record) set(key, value string) (err error) {
	switch key {
	case "state":
		r.State, err = oneOf(key, value, "idle", "working", "blocked", "done", "error", "clear")
	case "kind":
		r.Kind, err = oneOf(key, value, "permission", "question", "auth")
	case "app":
		r.App = value
		if !validName(value) {
			err = errors.New("app is no name")
		}
	case "id":
		r.ID = value
		if !validID(value) {
			err = errors.New("id is no path")
		}
	case "title":
		r.Title, err = recordText(key, value, maxRecordTitle)
	case "msg":
		r.Message, err = recordText(key, value, maxRecordMsg)
	case "progress":
		r.Progress, err = percent(value)
	}
	return err
}

func oneOf(key, value string, known ...string) (string, error) {
	for _, k := range known {
		if value == k {
			return value, nil
		}
	}
	return "", fmt.Errorf("unknown %s: %.40q", key, value)
}

func percent(value string) (int, error) {
	n, err := strconv.ParseUint(value, 10, 8)
	if err != nil || n > 100 || len(value) > 3 {
		return 0, errors.New("progress is not 0 to 100")
	}
	return int(n), nil
}

func validID(id string) bool {
	if len(id) > maxRecordID || strings.Count(id, "/") >= maxRecordDepth {
		return false
	}
	for part := range strings.SplitSeq(id, "/") {
		if !validName(part) {
			return false
		}
	}
	return true
}

func validName(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("_.+-", c) >= 0:
		default:
			return false
		}
	}
	return s != "" && len(s) <= maxRecordName
}

// recordText decodes a text; padding may be missing, as some encoders leave it
// out.
func recordText(key, value string, most int) (string, error) {
	b, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
	switch {
	case err != nil:
		return "", fmt.Errorf("%s is not base64", key)
	case len(b) > most:
		return "", fmt.Errorf("%s is longer than %d bytes", key, most)
	case !utf8.Valid(b):
		return "", fmt.Errorf("%s is not UTF-8", key)
	}
	s := string(b)
	if strings.ContainsFunc(s, unicode.IsControl) {
		return "", fmt.Errorf("%s has control characters", key)
	}
	return s, nil
}
