package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonSettings is a JSON object whose member "hooks" has an array per event. An
// element of such an array is a group with its own array "hooks" of entries, or
// an entry itself.
type jsonSettings struct {
	agent   string
	command string  // key of an entry that holds its command
	flat    bool    // elements are entries, not groups of them
	strict  bool    // the agent reads neither comments nor trailing commas
	base    string  // what a new file says besides hooks, as an object; empty for nothing
	entries []entry // in the order in which they are written
}

const hooksKey = "hooks"

func (s jsonSettings) install(file []byte) ([]byte, error) {
	mark, text := cutMark(file)
	if file == nil && s.base != "" {
		text = []byte(s.base)
	}
	d, root, err := s.parse(text)
	if err != nil {
		return nil, err
	}
	before := d.root.Pack()
	hooks, err := d.child(root, hooksKey)
	if err != nil {
		return nil, err
	}
	for _, e := range s.entries {
		if err := s.put(d, hooks, e); err != nil {
			return nil, err
		}
	}
	s.drop(d, hooks.object, func(event string) bool { return !s.writes(event) })
	if hooks.added {
		d.addMember(root, hooksKey, hooks)
	}
	after := d.root.Pack()
	if bytes.Equal(before, after) {
		return file, nil
	}
	after = slices.Concat(mark, d.before, after)
	if file == nil && s.base == "" {
		after = append(after, '\n')
	}
	return after, nil
}

// writes reports whether an event is among those that are written.
func (s jsonSettings) writes(event string) bool {
	return slices.ContainsFunc(s.entries, func(e entry) bool { return e.event == event })
}

// put makes one event's array hold its entry once.
func (s jsonSettings) put(d *document, hooks node, e entry) error {
	list, err := d.list(hooks, e.event)
	if err != nil {
		return err
	}
	text := s.render(e)
	var want any
	_ = json.Unmarshal([]byte(text), &want)
	found := false
	for i := 0; i < len(list.array.Elements); i++ {
		el := &list.array.Elements[i]
		own, alone := s.ownIn(el)
		switch {
		case own == 0:
		case found || !alone:
			s.strip(d, list.array, &i)
		default:
			if found = true; !reflect.DeepEqual(plainValue(el), want) {
				el.Value = parseOwn(text)
			}
		}
	}
	if !found {
		d.addElement(list, parseOwn(text))
	}
	if list.added {
		d.addMember(hooks, e.event, list)
	}
	return nil
}

// render is an element of an event's array on one line.
func (s jsonSettings) render(e entry) string {
	parts := make([]string, len(e.fields))
	for i, f := range e.fields {
		parts[i] = jsonText(f.key) + ": " + jsonText(f.value)
	}
	text := "{ " + strings.Join(parts, ", ") + " }"
	if !s.flat {
		text = `{ "hooks": [` + text + `] }`
	}
	return text
}

// jsonText is a value as people write it: without escapes for HTML.
func jsonText(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n")
}

// parseOwn parses what render wrote.
func parseOwn(text string) hujson.ValueTrimmed {
	v, err := hujson.Parse([]byte(text))
	if err != nil {
		panic("code bug: own entry is not JSON: " + err.Error())
	}
	return v.Value
}

// plainValue is a value as encoding/json reads it.
func plainValue(v *hujson.Value) any {
	c := v.Clone()
	c.Minimize()
	var out any
	_ = json.Unmarshal(c.Pack(), &out)
	return out
}

func (s jsonSettings) uninstall(file []byte) ([]byte, error) {
	mark, text := cutMark(file)
	if blank(text) {
		return file, nil
	}
	d, root, err := s.parse(text)
	if err != nil {
		return nil, err
	}
	hooks, err := member(root.object, hooksKey)
	if hooks == nil || err != nil {
		return file, err
	}
	o, err := objectOf(hooks, hooksKey)
	if err != nil {
		return nil, err
	}
	before := d.root.Pack()
	made := madeByInstall(membersOf(o)) // before the first goes
	s.drop(d, o, func(string) bool { return true })
	if bytes.Equal(before, d.root.Pack()) {
		return file, nil
	}
	if made && len(o.Members) == 0 && o.AfterExtra.IsStandard() {
		return s.withoutHooks(d, root, mark), nil
	}
	return slices.Concat(mark, d.root.Pack()), nil
}

// withoutHooks is a file without the member that install made, nil if install
// made the rest too.
func (s jsonSettings) withoutHooks(d *document, root node, mark []byte) []byte {
	o := root.object
	made := madeByInstall(membersOf(o))
	i := slices.IndexFunc(o.Members, func(m hujson.ObjectMember) bool { return m.Name.Value.(hujson.Literal).String() == hooksKey })
	d.cutMember(o, i)
	if s.base != "" && string(d.root.Pack()) == s.base {
		return nil
	}
	empty := len(o.Members) == 0 && o.AfterExtra.IsStandard() && d.root.BeforeExtra.IsStandard() && d.root.AfterExtra.IsStandard()
	switch {
	case !made || !empty:
		return slices.Concat(mark, d.root.Pack())
	case len(mark) == 0 && len(d.root.BeforeExtra) == 0 && string(d.root.AfterExtra) == "\n":
		return nil
	}
	return there(slices.Concat(mark, d.root.BeforeExtra, d.root.AfterExtra))
}

// drop removes deck's entries of the events that are chosen, and the arrays
// that install made for them.
func (s jsonSettings) drop(d *document, hooks *hujson.Object, chosen func(event string) bool) {
	for i := 0; i < len(hooks.Members); i++ {
		m := &hooks.Members[i]
		array, ok := m.Value.Value.(*hujson.Array)
		event := m.Name.Value.(hujson.Literal).String()
		if !ok || !chosen(event) {
			continue
		}
		made, n := madeByInstall(elementsOf(array)), len(array.Elements)
		for j := 0; j < len(array.Elements); j++ {
			if own, _ := s.ownIn(&array.Elements[j]); own > 0 {
				s.strip(d, array, &j)
			}
		}
		if made && n > 0 && len(array.Elements) == 0 && array.AfterExtra.IsStandard() {
			d.cutMember(hooks, i)
			i--
		}
	}
}

// ownIn returns the lowest mark of deck's entries in an element of an event's
// array, 0 without any, and whether there is nothing but them in it.
func (s jsonSettings) ownIn(el *hujson.Value) (version int, alone bool) {
	if s.flat {
		v := s.ownEntry(el)
		return v, v > 0
	}
	list := s.handlers(el)
	if list == nil {
		return 0, false
	}
	alone = true
	for i := range list.Elements {
		v := s.ownEntry(&list.Elements[i])
		switch {
		case v == 0:
			alone = false
		case version == 0 || v < version:
			version = v
		}
	}
	return version, alone && version > 0
}

// handlers returns the array of entries of a group, nil if it has none.
func (s jsonSettings) handlers(el *hujson.Value) *hujson.Array {
	o, ok := el.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	v, err := member(o, hooksKey)
	if v == nil || err != nil {
		return nil
	}
	list, _ := v.Value.(*hujson.Array)
	return list
}

// ownEntry returns the mark of an entry of deck's, 0 for any other.
func (s jsonSettings) ownEntry(el *hujson.Value) int {
	o, ok := el.Value.(*hujson.Object)
	if !ok {
		return 0
	}
	v, err := member(o, s.command)
	if v == nil || err != nil || v.Value.Kind() != '"' {
		return 0
	}
	return ownVersion(v.Value.(hujson.Literal).String(), s.agent)
}

// strip takes deck's entries out of the element at *i of an event's array, and
// the element with them if nothing else is in it; *i then is that before it.
func (s jsonSettings) strip(d *document, array *hujson.Array, i *int) {
	if _, alone := s.ownIn(&array.Elements[*i]); alone {
		d.cutElement(array, *i)
		*i--
		return
	}
	list := s.handlers(&array.Elements[*i])
	for j := 0; j < len(list.Elements); j++ {
		if s.ownEntry(&list.Elements[j]) > 0 {
			d.cutElement(list, j)
			j--
		}
	}
}

func (s jsonSettings) version(file []byte) (int, error) {
	_, text := cutMark(file)
	if blank(text) {
		return 0, nil
	}
	_, root, err := s.parse(text)
	if err != nil {
		return 0, err
	}
	v, err := member(root.object, hooksKey)
	if v == nil || err != nil {
		return 0, err
	}
	hooks, err := objectOf(v, hooksKey)
	if err != nil {
		return 0, err
	}
	lowest := 0
	for i := range hooks.Members {
		array, ok := hooks.Members[i].Value.Value.(*hujson.Array)
		if !ok {
			continue
		}
		for j := range array.Elements {
			if v, _ := s.ownIn(&array.Elements[j]); v > 0 && (lowest == 0 || v < lowest) {
				lowest = v
			}
		}
	}
	return lowest, nil
}

// parse reads a text; an empty one is an empty object.
func (s jsonSettings) parse(text []byte) (*document, node, error) {
	d, err := parseDocument(text)
	if err != nil {
		return nil, node{}, err
	}
	if s.strict && !d.root.IsStandard() {
		return nil, node{}, errors.New("it has comments or trailing commas, which the agent does not read")
	}
	o, ok := d.root.Value.(*hujson.Object)
	if !ok {
		return nil, node{}, errors.New("it is not a JSON object")
	}
	root := d.nodeOf(node{object: o}, membersOf(o), o.AfterExtra, d.unit)
	root.added = blank(text)
	return d, root, nil
}

// member returns the value of a name, nil if there is none. A name that is
// there twice is refused: agents differ in which one they read.
func member(o *hujson.Object, name string) (*hujson.Value, error) {
	var found *hujson.Value
	for i := range o.Members {
		if o.Members[i].Name.Value.(hujson.Literal).String() != name {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("it has %q twice", name)
		}
		found = &o.Members[i].Value
	}
	return found, nil
}
