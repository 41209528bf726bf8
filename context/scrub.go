package memory

// scrub cleans and redacts a record's texts once more: a rule may be newer than a
// text. Whatever the store gives out has been here. It returns the names of the rules that
// took something out.
func (s *Store) scrub(r record) (found map[string]bool) {
	found = map[string]bool{}
	redact := func(text string) string { return s.redact(clean(text), found) }
	all := func(fields ...*string) {
		for _, f := range fields {
			if *f != "" {
				*f = redact(*f)
			}
		}
	}
	switch {
	case r.Note != nil:
		n := r.Note
		all(&n.Title, &n.Text, &n.Reason, &n.Type, &n.Branch)
		n.Tags, n.Files = tags(n.Tags, redact), sources(n.Files, redact)
	case r.Task != nil:
		t := r.Task
		all(&t.Task, &t.Status, &t.Step, &t.Next, &t.Tests, &t.Error, &t.Branch)
	case r.Event != nil:
		all(&r.Event.Text)
	case r.Handoff != nil:
		h := r.Handoff
		all(&h.Title, &h.Text, &h.Branch)
		h.Files = paths(h.Files, redact)
	}
	return found
}
