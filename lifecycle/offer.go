package lifecycle

import "slices"

// offer is how a message stands that an agent's hook was offered.
type offer struct {
	id  string // empty: it is not offered
	seq int64  // of the hook, among those of its session
}

// Offer gives a hook of the agent what waits, oldest first, to tell it to the
// agent with its answer. Nothing of it is typed or offered again before Took or
// Returned says what became of it. What the hook is not to be given, or what does
// not fit, stays, and so does what its sender wrote after it.
func (b *Inbox) Offer(id string, seq int64, maxBytes int, want func(Message) bool) []Message {
	var out []Message
	var stays []string // senders
	for i := range b.waiting {
		m := &b.waiting[i]
		typed, fits := i == 0 && b.phase != resting, len(m.Text) <= maxBytes
		if typed || !fits || m.offer.id != "" || slices.Contains(stays, m.From) || !want(*m) {
			stays = append(stays, m.From)
			continue
		}
		maxBytes -= len(m.Text)
		m.offer = offer{id, seq}
		m.Post, m.Why = Held, WhyHook
		out = append(out, *m)
		b.changed = append(b.changed, *m)
	}
	return out
}

// Took tells that a hook has given the agent what it was offered.
func (b *Inbox) Took(id string) {
	for i := 0; i < len(b.waiting); {
		m := b.waiting[i]
		if m.offer.id != id {
			i++
			continue
		}
		b.waiting = slices.Delete(b.waiting, i, i+1)
		m.Post, m.Why = Delivered, WhyHook
		b.told = append(b.told, m)
		b.changed = append(b.changed, m)
	}
	b.told = b.told[max(0, len(b.told)-MaxWaiting):]
}

// Returned tells that a hook is gone that did not give the agent what it was
// offered.
func (b *Inbox) Returned(id string) {
	for i := range b.waiting {
		if m := &b.waiting[i]; m.offer.id == id {
			m.offer, m.Post, m.Why = offer{}, Queued, ""
			b.changed = append(b.changed, *m)
		}
	}
}

// WentOn tells that the agent has ended a turn, by a hook of a number: what
// earlier hooks gave it was a part of that.
func (b *Inbox) WentOn(seq int64) {
	b.told = slices.DeleteFunc(b.told, func(m Message) bool {
		got := m.offer.seq < seq
		if got {
			m.Post, m.Why = Confirmed, ""
			b.changed = append(b.changed, m)
		}
		return got
	})
}

// free reports whether message i is neither in the input line nor offered.
func (b *Inbox) free(i int) bool {
	return b.waiting[i].offer.id == "" && (i > 0 || b.phase == resting)
}
