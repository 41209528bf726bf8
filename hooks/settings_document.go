package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// document is a JSON text as people keep it. What is added looks like what
// stands beside it, and goes again without a trace: what install made starts
// with a blank after its bracket, and what was there, empty, does not.
type document struct {
	root   hujson.Value
	before []byte // what an otherwise empty file consists of
	nl     string // line ending
	unit   string // one step of indentation
	lines  bool   // the root's members stand on lines of their own
}

// node is an object or an array of a document, and how things stand in it.
type node struct {
	object *hujson.Object
	array  *hujson.Array
	indent string // of what is in it
	lines  bool   // what is in it stands on lines of its own
	added  bool   // it was not there
}

// item is a member or an element: what stands before and after it.
type item struct{ before, after *hujson.Extra }

func membersOf(o *hujson.Object) []item {
	items := make([]item, len(o.Members))
	for i := range o.Members {
		items[i] = item{&o.Members[i].Name.BeforeExtra, &o.Members[i].Value.AfterExtra}
	}
	return items
}

func elementsOf(a *hujson.Array) []item {
	items := make([]item, len(a.Elements))
	for i := range a.Elements {
		items[i] = item{&a.Elements[i].BeforeExtra, &a.Elements[i].AfterExtra}
	}
	return items
}

// madeByInstall reports whether a container that holds only deck's items was
// made for them.
func madeByInstall(items []item) bool { return len(items) > 0 && len(*items[0].before) > 0 }

// blanks are what JSON takes for white space.
const blanks = " \t\r\n"

func blank(text []byte) bool { return len(bytes.Trim(text, blanks)) == 0 }

// parseDocument reads a text; an empty one becomes an object.
func parseDocument(text []byte) (*document, error) {
	d := &document{nl: lineEnd(text), unit: "  ", lines: true}
	if blank(text) {
		d.before = text
		d.root.Value = &hujson.Object{AfterExtra: hujson.Extra(d.nl)}
		return d, nil
	}
	if tooDeep(text) {
		return nil, errTooDeep
	}
	var err error
	if d.root, err = hujson.Parse(bytes.Clone(text)); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	if o, ok := d.root.Value.(*hujson.Object); ok && len(o.Members) > 0 {
		b := o.Members[0].Name.BeforeExtra
		d.lines = bytes.ContainsRune(b, '\n')
		if in := indentOf(b); d.lines && in != "" {
			d.unit = in
		}
	}
	return d, nil
}

// indentOf returns the indentation of what comes after an extra.
func indentOf(b hujson.Extra) string {
	line := b[bytes.LastIndexByte(b, '\n')+1:]
	return string(line[len(bytes.TrimRight(line, " \t")):])
}

// nodeOf is a container that is there; indent is what its content would have if
// it had to be guessed.
func (d *document) nodeOf(n node, items []item, end hujson.Extra, indent string) node {
	n.indent, n.lines = indent, d.lines || bytes.ContainsRune(end, '\n') // a comment may reach to the end of its line
	if len(items) > 0 {
		if b := *items[len(items)-1].before; bytes.ContainsRune(b, '\n') {
			n.indent, n.lines = indentOf(b), true
		}
	}
	return n
}

// child is the object that a member holds, or one to be added.
func (d *document) child(parent node, name string) (node, error) {
	v, err := member(parent.object, name)
	if err != nil {
		return node{}, err
	}
	if v == nil {
		n := d.fresh(parent)
		n.object = &hujson.Object{AfterExtra: d.seam(parent.lines, parent.indent)}
		return n, nil
	}
	o, err := objectOf(v, name)
	if err != nil {
		return node{}, err
	}
	return d.nodeOf(node{object: o}, membersOf(o), o.AfterExtra, parent.indent+d.unit), nil
}

// list is the array that a member holds, or one to be added.
func (d *document) list(parent node, name string) (node, error) {
	v, err := member(parent.object, name)
	if err != nil {
		return node{}, err
	}
	if v == nil {
		n := d.fresh(parent)
		n.array = &hujson.Array{AfterExtra: d.seam(parent.lines, parent.indent)}
		return n, nil
	}
	a, ok := v.Value.(*hujson.Array)
	if !ok {
		return node{}, fmt.Errorf("%q in it is not an array", name)
	}
	return d.nodeOf(node{array: a}, elementsOf(a), a.AfterExtra, parent.indent+d.unit), nil
}

// objectOf is a member's value as an object.
func objectOf(v *hujson.Value, name string) (*hujson.Object, error) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("%q in it is not an object", name)
	}
	return o, nil
}

func (d *document) fresh(parent node) node {
	return node{indent: parent.indent + d.unit, lines: parent.lines, added: true}
}

// seam is what stands before an item that is added.
func (d *document) seam(lines bool, indent string) hujson.Extra {
	if lines {
		return hujson.Extra(d.nl + indent)
	}
	return hujson.Extra(" ")
}

// addMember puts a member at the end of an object.
func (d *document) addMember(n node, name string, value node) {
	m := hujson.ObjectMember{Name: hujson.Value{Value: hujson.String(name)}, Value: hujson.Value{BeforeExtra: hujson.Extra(" ")}}
	if m.Value.Value = value.object; value.object == nil {
		m.Value.Value = value.array
	}
	m.Name.BeforeExtra, m.Value.AfterExtra = d.join(n, membersOf(n.object), &n.object.AfterExtra)
	n.object.Members = append(n.object.Members, m)
}

// addElement puts an element at the end of an array.
func (d *document) addElement(n node, value hujson.ValueTrimmed) {
	el := hujson.Value{Value: value}
	el.BeforeExtra, el.AfterExtra = d.join(n, elementsOf(n.array), &n.array.AfterExtra)
	n.array.Elements = append(n.array.Elements, el)
}

// join returns what stands before and after a new last item. A comment behind
// the item that was last stays with that.
func (d *document) join(n node, items []item, end *hujson.Extra) (before, after hujson.Extra) {
	if len(items) == 0 {
		if n.added {
			before = d.seam(n.lines, n.indent)
		}
		return before, nil
	}
	last := items[len(items)-1]
	if *last.after != nil {
		after = hujson.Extra{} // a trailing comma
	}
	k := commentEnd(*end)
	before = slices.Clone((*end)[:k])
	if n.lines || n.added || len(*last.before) > 0 {
		before = append(before, d.seam(n.lines, n.indent)...)
	}
	*end = (*end)[k:]
	return before, after
}

// commentEnd returns how far the comments reach that start on the line on which
// an extra starts.
func commentEnd(e hujson.Extra) int {
	end := 0
	for i := 0; i < len(e); {
		rest := e[i:]
		switch {
		case bytes.HasPrefix(rest, []byte("/*")):
			i += len("/*") + bytes.Index(rest[2:], []byte("*/")) + len("*/")
			end = i
		case bytes.HasPrefix(rest, []byte("//")):
			line := cutLineEnd(rest[:bytes.IndexByte(rest, '\n')+1])
			return i + len(line)
		case rest[0] == '\n':
			return end
		default:
			i++
		}
	}
	return end
}

// cutMember removes a member of an object.
func (d *document) cutMember(o *hujson.Object, i int) {
	d.cut(membersOf(o), i, &o.AfterExtra)
	o.Members = slices.Delete(o.Members, i, i+1)
}

// cutElement removes an element of an array.
func (d *document) cutElement(a *hujson.Array, i int) {
	d.cut(elementsOf(a), i, &a.AfterExtra)
	a.Elements = slices.Delete(a.Elements, i, i+1)
}

// cut takes back what join did, wherever the item is by now. Comments around it
// stay.
func (d *document) cut(items []item, i int, end *hujson.Extra) {
	gone := items[i]
	carry := d.unseam(*gone.before)
	if a := *gone.after; !a.IsStandard() {
		carry = slices.Concat(carry, a)
	}
	switch {
	case i < len(items)-1:
		next := items[i+1]
		*next.before = slices.Concat(carry, *next.before)
		return
	case i == 0:
	case *gone.after == nil:
		carry = slices.Concat(*items[i-1].after, carry)
		*items[i-1].after = nil
	case *items[i-1].after == nil:
		*items[i-1].after = hujson.Extra{}
	}
	*end = slices.Concat(carry, *end)
}

// unseam removes a seam from the end of what stands before an item.
func (d *document) unseam(b hujson.Extra) hujson.Extra {
	t := bytes.TrimRight(b, " \t")
	if cut, ok := bytes.CutSuffix(t, []byte(d.nl)); ok {
		return cut
	}
	return bytes.TrimSuffix(t, []byte("\n"))
}
