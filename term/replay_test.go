package term

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func replay(t *testing.T, in string, o ReplayOptions) map[string]any {
	t.Helper()
	var out bytes.Buffer
	if err := Replay(strings.NewReader(in), &out, o); err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(out.Bytes(), &m); err != nil {
		t.Fatalf("%v: %s", err, out.Bytes())
	}
	return m
}

func TestReplay(t *testing.T) {
	t.Parallel()
	raw := ReplayOptions{Cols: 4, Rows: 2, Raw: true, History: 10}
	got := replay(t, "\x1b]2;T\a1\r\n2\r\n世\x1b[1;4:3;38;5;9mx\x1b[6n", raw)
	cells := got["cells"].([]any)
	delete(got, "cells")
	want := map[string]any{
		"cols": 4.0, "rows": 2.0, "lines": []any{"2", "世x"}, "cursor": []any{3.0, 1.0}, "cursor_visible": true,
		"alternate": false, "history": []any{"1"}, "replies": "1b5b323b3452", "title": "T", "dir": "",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	cell := cells[1].([]any)[2].(map[string]any)
	for k, v := range map[string]any{"text": "x", "width": 1.0, "bold": true, "underline": 3.0, "fg": "9", "italic": false} {
		if cell[k] != v {
			t.Errorf("%s of the cell is %v, want %v", k, cell[k], v)
		}
	}
	raw.NoCells = true
	if _, ok := replay(t, "x", raw)["cells"]; ok {
		t.Error("cells were not left out")
	}
}

func TestReplayScript(t *testing.T) {
	t.Parallel()
	o := ReplayOptions{Cols: 6, Rows: 2, NoCells: true}
	got := replay(t, "{\"write\":\"616263646566\"}\n\n{\"resize\":[3,2]}\n{\"write\":\"67\"}\n", o)
	if d := cmp.Diff([]any{"def", "g"}, got["lines"]); d != "" {
		t.Error(d)
	}
	for in, want := range map[string]string{
		"{\"write\":\"6\"}":    "script line 1: encoding/hex: odd length hex string",
		"\n{}\n":               "script line 2: neither write nor resize",
		"{\"resize\":\"big\"}": "script line 1: json",
	} {
		err := Replay(strings.NewReader(in), &bytes.Buffer{}, o)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", in, err, want)
		}
	}
}
