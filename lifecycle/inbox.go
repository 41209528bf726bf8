package lifecycle

import (
	"slices"
	"strings"
	"time"
)

// The times that delivery goes by.
const (
	// typingRest is after which keys that left no draft count no more: what they
	// typed was taken back.
	typingRest = 3 * time.Second
	// echoLimit is how long an agent may take to show what was pasted.
	echoLimit = 10 * time.Second
	// sendAgain is after which a text that is still a draft is sent once more.
	sendAgain = 1500 * time.Millisecond
	// sendLimit is after which it counts as stuck.
	sendLimit = 5 * time.Second
	// maxSends is how many times Enter is pressed for one message.
	maxSends = 2
	// keptOver is how many messages that are over are remembered for their
	// confirmation.
	keptOver = 8
)

// phase is how far the first message is.
type phase uint8

const (
	resting phase = iota // nothing of it was typed
	pasting              // a paste was asked for
	pasted               // its text is in the input line
	sending              // an Enter was asked for
	entered              // Enter was pressed
)

// Inbox holds what waits for one agent and decides when it is typed: only into
// an input line that is seen to be empty, with no key of anybody else since, and
// never the same text twice. It has no clock and does nothing itself; it is owned
// by one goroutine. The zero value is empty.
type Inbox struct {
	waiting []Message // the first is the one that is worked on
	over    []Message // the last ones that were typed, until they are confirmed
	told    []Message // the last ones that a hook gave the agent, the same
	changed []Message
	phase   phase
	since   time.Time // of the phase
	gen     uint64    // the pane's output when it began
	keys    uint64    // what others had typed then
	enters  uint64    // how often they had pressed Enter
	shown   bool      // the text was seen in the input line
	draft   string    // what the input line showed before Enter
	sends   int
}

// Put adds a message, the last of those that wait.
func (b *Inbox) Put(m Message, now time.Time) error {
	if len(b.waiting) >= MaxWaiting {
		return ErrInboxFull
	}
	m.Sent, m.Post, m.Why = now, Queued, ""
	b.waiting = append(b.waiting, m)
	b.changed = append(b.changed, m)
	return nil
}

// Drop takes a message out that is not to be delivered. It reports false for one
// that is not waiting, or is on its way already.
func (b *Inbox) Drop(id string, why Why) bool {
	i := slices.IndexFunc(b.waiting, func(m Message) bool { return m.ID == id })
	if i < 0 || !b.free(i) {
		return false
	}
	b.finish(i, Dropped, why)
	return true
}

// Clear drops all that waits, for a reason.
func (b *Inbox) Clear(why Why) {
	for len(b.waiting) > 0 {
		b.finish(0, Dropped, why)
	}
	b.over, b.told = nil, nil
}

// Replaced tells that another program is in the pane: what was typed is gone, and
// what waits is for that one.
func (b *Inbox) Replaced() {
	if b.phase != resting {
		b.finish(0, Dropped, WhyReplaced)
	}
}

// Empty reports whether nothing waits.
func (b *Inbox) Empty() bool { return len(b.waiting) == 0 }

// Typing reports whether a message is in the input line, or on its way into it or
// out of it: what anybody else types there now is sent with it.
func (b *Inbox) Typing() bool { return b.phase != resting }

// Waiting returns what is not over yet, oldest first.
func (b *Inbox) Waiting() []Message { return slices.Clone(b.waiting) }

// Changes returns the messages that changed since it was called last, in order.
func (b *Inbox) Changes() []Message {
	out := b.changed
	b.changed = nil
	return out
}

// Submitted tells that the agent says it was given a prompt; an empty text is one
// that it does not tell.
func (b *Inbox) Submitted(text string) {
	b.told = nil // another turn says nothing of what was told in the last
	if len(b.waiting) > 0 && (b.phase >= pasted && sameText(text, b.waiting[0].Text) || b.phase == entered && text == "") {
		b.finish(0, Confirmed, "")
		return
	}
	for i := range b.over {
		if m := b.over[i]; m.Post == Delivered && (sameText(text, m.Text) || text == "" && i == len(b.over)-1) {
			m.Post = Confirmed
			b.over = slices.Delete(b.over, i, i+1)
			b.changed = append(b.changed, m)
			return
		}
	}
}

// Wrote tells how the step went that Next asked for: false where somebody typed
// in between, and nothing was written.
func (b *Inbox) Wrote(ok bool, now time.Time) {
	switch {
	case b.phase == pasting && ok:
		b.phase, b.since = pasted, now
	case b.phase == pasting:
		b.phase = resting
		b.stay(WhyTyping)
	case b.phase == sending && ok:
		if b.phase, b.since = entered, now; b.sends == 0 {
			b.waiting[0].Entered = now
		}
		b.sends++
	case b.phase == sending:
		b.phase = pasted
		b.stay(WhyDraft)
	}
}

// Next decides what to do now.
func (b *Inbox) Next(d Desk, now time.Time) Step {
	b.expire(now)
	if len(b.waiting) == 0 {
		return Step{}
	}
	var s Step
	switch {
	case b.waiting[0].offer.id != "":
	case b.phase == resting:
		s = b.begin(d, now)
	case b.phase == pasted:
		s = b.send(d, now)
	case b.phase == entered:
		s = b.await(d, now)
	}
	if s.Act == Stay {
		for i, m := range b.waiting {
			if b.free(i) {
				s.Due = earlier(s.Due, m.Until)
			}
		}
	}
	return s
}

// begin types the first message, if nothing is in its way.
func (b *Inbox) begin(d Desk, now time.Time) Step {
	why := obstacle(d)
	var due time.Time
	if rest := d.KeyAt.Add(typingRest); why == "" && d.Unsent && now.Before(rest) {
		why, due = WhyTyping, rest
	}
	if why != "" {
		b.stay(why)
		return Step{Due: due}
	}
	b.stay(WhySending)
	b.phase, b.gen, b.keys, b.enters, b.sends, b.shown = pasting, d.Gen, d.Keys, d.Enters, 0, false
	return Step{Act: Paste, Text: b.waiting[0].Text, Keys: d.Keys}
}

// obstacle is what keeps a text from being typed.
func obstacle(d Desk) Why {
	switch {
	case !d.Agent:
		return WhyNoAgent
	case d.State == Dead:
		return WhyDead
	case d.State == NeedsInput:
		return WhyDialog
	case d.State == Working:
		return WhyBusy
	case d.State == Blocked:
		return WhyBlocked
	case !d.Composer.Found:
		return WhyNoInput
	case !d.Composer.Empty:
		return WhyDraft
	}
	return ""
}

// send presses Enter once the text is to be seen, unless somebody typed into it
// or something came over it.
func (b *Inbox) send(d Desk, now time.Time) Step {
	b.shown = b.shown || d.Gen > b.gen && d.Composer.Found && !d.Composer.Empty
	unseen := !b.shown && now.Before(b.since.Add(echoLimit))
	ready := b.since.Add(d.Manner.Pause)
	switch {
	case !d.Agent || d.State == Dead:
		b.finish(0, Dropped, WhyDead)
	case unseen:
		return Step{Due: b.since.Add(echoLimit)}
	case d.Keys != b.keys:
		b.mixed(d)
	case d.State == NeedsInput:
		b.stay(WhyDialog)
	case d.Composer.Empty && b.shown:
		b.finish(0, Dropped, WhyCleared)
	case !d.Composer.Found:
		b.stay(WhyNoInput)
	case now.Before(ready):
		return Step{Due: ready}
	default:
		b.phase, b.gen, b.draft = sending, d.Gen, d.Composer.Draft
		return Step{Act: Send, Keys: b.keys}
	}
	return Step{}
}

// mixed follows a text that somebody typed into: it is theirs now to send or to
// take back.
func (b *Inbox) mixed(d Desk) {
	switch {
	case !d.Composer.Found || !d.Composer.Empty:
		b.stay(WhyDraft)
	case d.Enters == b.enters && b.sends == 0:
		b.finish(0, Dropped, WhyCleared)
	default:
		b.finish(0, Delivered, WhyPerson)
	}
}

// await looks for what shows that the agent took the text.
func (b *Inbox) await(d Desk, now time.Time) Step {
	line := d.Composer.Found && !d.Composer.Empty
	// What somebody types after it was sent is another text.
	still := line && (d.Keys == b.keys || strings.HasPrefix(d.Composer.Draft, b.draft))
	gone := d.Gen > b.gen && !still && (d.State == Working || d.State == NeedsInput || b.draft != "" && d.Composer.Found)
	switch {
	case !d.Agent || d.State == Dead:
		b.finish(0, Dropped, WhyDead)
	case gone:
		b.finish(0, Delivered, "")
	case d.Keys != b.keys:
		b.phase = pasted
		b.mixed(d)
	case now.Before(b.since.Add(sendAgain)):
		return Step{Due: b.since.Add(sendAgain)}
	case b.sends < maxSends && still && d.State != NeedsInput:
		b.phase, b.gen = sending, d.Gen
		return Step{Act: Send, Keys: b.keys}
	case now.Before(b.since.Add(sendLimit)):
		return Step{Due: b.since.Add(sendLimit)}
	default:
		b.stay(WhyStuck)
	}
	return Step{}
}

// stay says what keeps the first message.
func (b *Inbox) stay(why Why) {
	m := &b.waiting[0]
	if m.Post == Held && m.Why == why {
		return
	}
	m.Post, m.Why = Held, why
	b.changed = append(b.changed, *m)
}

// finish takes message i out of the inbox.
func (b *Inbox) finish(i int, to Post, why Why) {
	m := b.waiting[i]
	m.Post, m.Why = to, why
	b.waiting = slices.Delete(b.waiting, i, i+1)
	b.changed = append(b.changed, m)
	if i == 0 {
		b.phase = resting
	}
	if to == Delivered {
		if len(b.over) == keptOver {
			b.over = slices.Delete(b.over, 0, 1)
		}
		b.over = append(b.over, m)
	}
}

// expire drops what was to be delivered by now.
func (b *Inbox) expire(now time.Time) {
	for i := len(b.waiting) - 1; i >= 0; i-- {
		m := b.waiting[i]
		if b.free(i) && !m.Until.IsZero() && !now.Before(m.Until) {
			b.finish(i, Dropped, WhyExpired)
		}
	}
}

// earlier is the earlier of two times, where zero is never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
