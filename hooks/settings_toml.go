package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlSettings is a TOML file with an array of tables [[hooks.EVENT]]. deck's
// entries are tables of their own at its end, two lines each:
//
//	[[hooks.Stop]]
//	hooks = [{ type = "command", command = '…' }]
type tomlSettings struct {
	agent   string
	entries []entry
}

// tomlBlock is one table [[hooks.EVENT]] of deck's in a text.
type tomlBlock struct {
	event      string
	start, end int // from its header to the end of its last line, without the line ending
	version    int
	value      any // of its key hooks
}

func (s tomlSettings) install(file []byte) ([]byte, error) {
	mark, text := cutMark(file)
	blocks, err := s.blocks(text)
	if err != nil {
		return nil, err
	}
	out, have := text, map[string]bool{}
	for _, b := range slices.Backward(blocks) {
		i := slices.IndexFunc(s.entries, func(e entry) bool { return e.event == b.event })
		if i < 0 || have[b.event] {
			out = cutBlock(out, b)
			continue
		}
		have[b.event] = true
		want := s.lines(s.entries[i], lineEnd(text))
		if !reflect.DeepEqual(b.value, tomlValue(want)) {
			out = slices.Concat(out[:b.start], []byte(want), out[b.end:])
		}
	}
	for _, e := range s.entries {
		if !have[e.event] {
			out = appendBlock(out, s.lines(e, lineEnd(text)), lineEnd(text))
		}
	}
	if bytes.Equal(out, text) {
		return file, nil
	}
	if _, err := s.blocks(out); err != nil {
		return nil, fmt.Errorf("with the hooks it would not be TOML: %w", err)
	}
	return slices.Concat(mark, out), nil
}

func (s tomlSettings) uninstall(file []byte) ([]byte, error) {
	mark, text := cutMark(file)
	blocks, err := s.blocks(text)
	if err != nil || len(blocks) == 0 {
		return file, err
	}
	for _, b := range slices.Backward(blocks) {
		text = cutBlock(text, b)
	}
	return there(slices.Concat(mark, text)), nil
}

func (s tomlSettings) version(file []byte) (int, error) {
	_, text := cutMark(file)
	blocks, err := s.blocks(text)
	lowest := 0
	for _, b := range blocks {
		if lowest == 0 || b.version < lowest {
			lowest = b.version
		}
	}
	return lowest, err
}

// lines are the two lines of an entry, without the last line ending.
func (s tomlSettings) lines(e entry, nl string) string {
	parts := make([]string, len(e.fields))
	for i, f := range e.fields {
		parts[i] = f.key + " = " + tomlText(f.value)
	}
	return "[[hooks." + e.event + "]]" + nl + "hooks = [{ " + strings.Join(parts, ", ") + " }]"
}

// tomlText is a value in TOML; a string is literal where it can be.
func tomlText(v any) string {
	if t, ok := v.(string); ok && strings.Contains(t, `"`) && !strings.ContainsAny(t, "'\n") {
		return "'" + t + "'"
	}
	// A basic string of TOML knows the escapes of a JSON string.
	return jsonText(v)
}

// tomlValue is the value of hooks in the lines of an entry.
func tomlValue(lines string) any {
	_, key, _ := strings.Cut(lines, "\n")
	var t map[string]any
	if err := toml.Unmarshal([]byte(key), &t); err != nil {
		return nil
	}
	return t[hooksKey]
}

// appendBlock puts a block at the end of a text, after an empty line. A text
// without a last line ending stays one.
func appendBlock(text []byte, block, nl string) []byte {
	switch {
	case len(text) == 0:
		return []byte(block)
	case bytes.HasSuffix(text, []byte("\n")):
		return slices.Concat(text, []byte(nl+block+nl))
	}
	return slices.Concat(text, []byte(nl+nl+block))
}

// cutBlock takes back what appendBlock did, wherever the block is by now.
func cutBlock(text []byte, b tomlBlock) []byte {
	before, after := text[:b.start], text[b.end:]
	if rest := cutLineEnd(before); len(rest) < len(before) && (len(rest) == 0 || rest[len(rest)-1] == '\n') {
		before = rest
	}
	switch {
	case len(after) == 0:
		before = cutLineEnd(before)
	case after[0] == '\r':
		after = after[2:]
	default:
		after = after[1:]
	}
	return slices.Concat(before, after)
}

// blocks returns deck's tables in a text. A text that is not TOML is an error,
// and so is an entry of deck's that stands among other things.
func (s tomlSettings) blocks(text []byte) ([]tomlBlock, error) {
	var all struct {
		Hooks map[string]any `toml:"hooks"`
	}
	if tooDeep(text) {
		return nil, errTooDeep
	}
	if err := toml.Unmarshal(text, &all); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			return nil, fmt.Errorf("line %d, column %d: %w", line, column, err)
		}
		return nil, err
	}
	var blocks []tomlBlock
	p := unstable.Parser{}
	p.Reset(text)
	var open *tomlBlock // the table whose keys are read
	for p.NextExpression() {
		x := p.Expression()
		switch {
		case x.Kind != unstable.KeyValue:
			open = header(text, x)
		case open == nil:
		case open.version > 0: // a key more: the table is not deck's alone
			blocks, open = blocks[:len(blocks)-1], nil
		case s.fill(text, open, x):
			blocks = append(blocks, *open)
		default:
			open = nil
		}
	}
	if err := p.Error(); err != nil {
		return nil, err
	}
	if found := s.count(all.Hooks); found != len(blocks) {
		return nil, errors.New("entries of deck's stand among others in it, and only a person can take them apart")
	}
	return blocks, nil
}

// header returns the beginning of a table [[hooks.EVENT]], nil of any other.
func header(text []byte, x *unstable.Node) *tomlBlock {
	if x.Kind != unstable.ArrayTable {
		return nil
	}
	keys := keysOf(x)
	if len(keys) != 2 || string(keys[0].Data) != hooksKey {
		return nil
	}
	start := bytes.LastIndexByte(text[:keys[0].Raw.Offset], '\n') + 1
	return &tomlBlock{event: string(keys[1].Data), start: start}
}

func keysOf(x *unstable.Node) []*unstable.Node {
	var keys []*unstable.Node
	for it := x.Key(); it.Next(); {
		keys = append(keys, it.Node())
	}
	return keys
}

// fill takes the first key of a table and reports whether it is an entry of
// deck's.
func (s tomlSettings) fill(text []byte, b *tomlBlock, x *unstable.Node) bool {
	keys := keysOf(x)
	if len(keys) != 1 || string(keys[0].Data) != hooksKey {
		return false
	}
	var t map[string]any
	end := int(x.Raw.Offset + x.Raw.Length)
	if toml.Unmarshal(text[x.Raw.Offset:end], &t) != nil {
		return false
	}
	list, ok := t[hooksKey].([]any)
	if !ok || len(list) != 1 {
		return false
	}
	b.version, b.value, b.end = s.own(list[0]), t[hooksKey], lineEndAfter(text, end)
	return b.version > 0
}

// lineEndAfter returns where the line ends that an offset is in, without its
// line ending.
func lineEndAfter(text []byte, at int) int {
	i := bytes.IndexByte(text[at:], '\n')
	if i < 0 {
		return len(text)
	}
	return len(cutLineEnd(text[:at+i+1]))
}

// own returns the mark of an entry of deck's, 0 for any other.
func (s tomlSettings) own(handler any) int {
	m, _ := handler.(map[string]any)
	command, _ := m["command"].(string)
	return ownVersion(command, s.agent)
}

// count returns how many of deck's entries there are in all.
func (s tomlSettings) count(hooks map[string]any) int {
	n := 0
	for _, groups := range hooks {
		list, _ := groups.([]any)
		for _, g := range list {
			m, _ := g.(map[string]any)
			handlers, _ := m[hooksKey].([]any)
			for _, h := range handlers {
				if s.own(h) > 0 {
					n++
				}
			}
		}
	}
	return n
}

// tomlHasHooks reports whether a TOML text has hooks of anyone.
func tomlHasHooks(file []byte) bool {
	_, text := cutMark(file)
	if tooDeep(text) {
		return false
	}
	var all struct {
		Hooks map[string]any `toml:"hooks"`
	}
	_ = toml.Unmarshal(text, &all)
	for _, v := range all.Hooks {
		if list, ok := v.([]any); ok && len(list) > 0 {
			return true
		}
	}
	return false
}
