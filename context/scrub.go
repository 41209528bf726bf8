package memory

// scrub cleans and redacts a record's texts once more: a rule may be newer than a
// text. Whatever the store gives out has been here.
func (s *Store) scrub(r record) {
	redact := func(text string) string { return s.redact(clean(text), map[string]bool{}) }
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
		all(&n.Title, &n.Text, &n.Reason)
		n.Tags, n.Files = tags(n.Tags, redact), sources(n.Files, redact)
	case r.Task != nil:
		all(&r.Task.Task, &r.Task.Step, &r.Task.Next, &r.Task.Tests, &r.Task.Error)
	case r.Event != nil:
		all(&r.Event.Text)
	case r.Handoff != nil:
		h := r.Handoff
		all(&h.Title, &h.Text)
		h.Files = paths(h.Files, redact)
	}
}
