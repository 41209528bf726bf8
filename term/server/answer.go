package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"deck/lifecycle"
	"deck/term"
	"deck/term/layout"
	"deck/term/wire"
	"deck/ui"
)

// waitingFor is what the loop knows of an agent that waits for a person.
type waitingFor struct {
	pane   layout.PaneID
	nick   string
	term   *term.Pane
	status lifecycle.Status
	asks   []*ask
	asked  time.Time     // since when it asks that
	turn   chan struct{} // of one: who answers it
}

// question is what an agent asks at one moment, with how it can be answered.
type question struct {
	waitingFor
	reading
	typed uint64 // how often somebody had typed into the pane
	ask   *ask   // nil: its hook told nothing that fits
}

// requestChanged is the answer to who answers something else than is asked.
func requestChanged(nick string) *wire.Error {
	return &wire.Error{Code: wire.CodeRequestChanged, Message: "the request of " + nick + " has changed: nothing was pressed",
		Hint: "deck answer " + nick + " shows what it asks"}
}

// waitsFor returns what a pane's agent waits for, an error where it asks
// nothing that a dialog can answer.
func (l *loop) waitsFor(p *pane) (waitingFor, error) {
	st := p.status()
	switch {
	case st.Agent == "" || st.Exited:
		return waitingFor{}, noAgent(p)
	case gated(st):
		return waitingFor{}, &wire.Error{Code: wire.CodeNoRequest, Message: p.nick + " is held at a gate", Hint: "deck gate approve or reject decides it"}
	case st.State != lifecycle.NeedsInput:
		return waitingFor{}, &wire.Error{Code: wire.CodeNoRequest, Message: p.nick + " asks for nothing"}
	}
	if p.agent.answers == nil {
		p.agent.answers = make(chan struct{}, 1)
	}
	return waitingFor{p.id, p.nick, p.term, st, slices.Clone(p.agent.asks), p.agent.asked, p.agent.answers}, nil
}

// look reads what an agent asks. It waits for a dialog that is not drawn yet,
// outside of the loop.
func (l *loop) look(ctx context.Context, w waitingFor, r *dialogReader) question {
	q := question{waitingFor: w, typed: w.term.Typed()}
	held := slices.ContainsFunc(w.asks, func(a *ask) bool { return a.answer != nil && a.blocks })
	q.reading, _ = r.until(ctx, drawTime, func(d reading) bool { return d.found || held })
	q.ask = fitting(w.asks, q.reading)
	return q
}

// id names the request: what the agent asks, how that is drawn, and what was
// typed so far, since two requests may look the same.
func (q question) id() string {
	serial := 0
	if q.waits() {
		serial = q.ask.serial
	}
	sum := sha256.Sum256(fmt.Append(nil, q.print, q.typed, " ", serial))
	return q.status.Request.ID + "-" + hex.EncodeToString(sum[:4])
}

// options are what can be chosen, and which of it agrees and refuses, counted
// from 1.
func (q question) options() (options []wire.AskedOption, yes, no int) {
	if len(q.Options) == 0 && q.waits() {
		return []wire.AskedOption{{Text: "Yes"}, {Text: "No"}}, 1, 2
	}
	options = []wire.AskedOption{}
	for _, o := range q.Options {
		options = append(options, wire.AskedOption{Text: lifecycle.Clean(o.Text, lifecycle.MaxRequest), Note: lifecycle.Clean(o.Note, lifecycle.MaxRequest), Chosen: o.Chosen})
	}
	if q.found {
		yes, no = q.Yes+1, q.No+1
	}
	return options, yes, no
}

// waits reports whether a hook waits for the answer.
func (q question) waits() bool { return q.ask != nil && q.ask.answer != nil }

// maxLines bounds what is shown of a request, in rows.
const maxLines = 2000

// wire is the question as a verb tells of it.
func (q question) wire() wire.Asked {
	st := q.status
	out := wire.Asked{Request: q.id(), Pane: string(q.pane), Nick: q.nick, Agent: st.Agent, Reason: st.Reason,
		Tool: cmp.Or(st.Request.Tool, st.Tool), Rows: []string{}}
	for _, row := range q.Text {
		out.Rows = append(out.Rows, cleanRow(row))
	}
	if !q.found {
		out.Rows = footOf(q.term)
	}
	if a := q.ask; a != nil {
		out.Tool = cmp.Or(cleanText(a.Tool, maxLabel), out.Tool)
		out.Text = cleanLines(a.Text)
		for _, e := range a.Edits {
			out.Edits = append(out.Edits, wire.AskedEdit{Path: cleanText(e.Path, maxText), Diff: diffOf(e)})
		}
	}
	out.Options, out.Yes, out.No = q.options()
	out.Hook = q.waits() && out.Yes > 0 && out.No > 0
	return out
}

// footRows is how much of a screen is shown for a request that is no menu.
const footRows = 24

// footOf returns the last rows of a screen that are not blank.
func footOf(t *term.Pane) []string {
	rows := []string{}
	for _, r := range t.View().Rows {
		rows = append(rows, cleanRow(r.Text))
	}
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	return rows[max(len(rows)-footRows, 0):]
}

// asked tells what an agent waits for a person with.
func (l *loop) asked(ctx context.Context, c caller, r wire.Target) (wire.Asked, error) {
	w, err := call(ctx, l, func() (waitingFor, error) {
		p, err := l.find(r.Target, c)
		if err != nil {
			return waitingFor{}, err
		}
		return l.waitsFor(p)
	})
	if err != nil {
		return wire.Asked{}, err
	}
	reader := newDialogReader(w.term, w.status.Agent, l.eyes.set())
	defer reader.close()
	return l.look(ctx, w, reader).wire(), nil
}

// answer answers for a person, or for the agent that a sub-agent belongs to.
func (l *loop) answer(ctx context.Context, c caller, r wire.Answer) (wire.Answered, error) {
	if (r.Option == 0) == (len(r.Keys) == 0) || r.Option < 0 {
		return wire.Answered{}, invalid("an answer is one option, or keys")
	}
	if i := slices.IndexFunc(r.Keys, func(k string) bool { return !oneKey(k) }); i >= 0 {
		return wire.Answered{}, invalid("not a key: %q", cleanText(r.Keys[i], maxLabel))
	}
	target, err := l.permit(ctx, c, "answer", r.Target)
	if err != nil {
		return wire.Answered{}, err
	}
	type found struct {
		waitingFor
		act wire.Audited
	}
	f, err := call(ctx, l, func() (found, error) {
		p, err := l.find(target, c)
		if err != nil {
			return found{}, err
		}
		act := l.act(c, "answer", p)
		w, err := l.waitsFor(p)
		if err != nil {
			l.keep(act, err)
		}
		l.log.Info("request answered", "pane", string(p.id), "by", string(c.pane), "pid", c.pid)
		return found{w, act}, err
	})
	if err != nil {
		return wire.Answered{}, err
	}
	done, err := l.give(ctx, f.waitingFor, r)
	l.keep(f.act, err)
	return done, err
}

// oneKey reports whether a word is one key: its name, or a single character.
func oneKey(word string) bool {
	return ui.CheckKey(word) == nil || utf8.RuneCountInString(word) == 1
}

// give carries out an answer, if what is asked is still what was shown. Of several
// who answer at the same time each looks when the one before has done so.
func (l *loop) give(ctx context.Context, w waitingFor, r wire.Answer) (wire.Answered, error) {
	turn := w.turn
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return wire.Answered{}, ctx.Err()
	}
	w, err := call(ctx, l, func() (waitingFor, error) {
		if p := l.panes[w.pane]; p != nil && p.term == w.term {
			return l.waitsFor(p)
		}
		return w, requestChanged(w.nick)
	})
	if err != nil {
		return wire.Answered{}, err
	}
	return l.giveNow(ctx, w, r)
}

// giveNow is give for who has the turn.
func (l *loop) giveNow(ctx context.Context, w waitingFor, r wire.Answer) (wire.Answered, error) {
	reader := newDialogReader(w.term, w.status.Agent, l.eyes.set())
	defer reader.close()
	q := l.look(ctx, w, reader)
	if r.Request != "" && r.Request != q.id() && r.Request != w.status.Request.ID {
		return wire.Answered{}, requestChanged(w.nick)
	}
	done := wire.Answered{Request: q.id(), Via: "keys"}
	if r.Option == 0 {
		return done, l.byKeys(ctx, q, reader, r.Keys)
	}
	options, yes, no := q.options()
	switch {
	case r.Option > len(options):
		return done, &wire.Error{Code: wire.CodeInvalid, Message: fmt.Sprintf("%s offers %d options", w.nick, len(options)),
			Hint: "deck answer " + w.nick + " shows them; keys work too"}
	case q.waits() && (r.Option == yes || r.Option == no):
		done.Via = "hook"
		_, err := call(ctx, l, func() (none, error) {
			p := l.panes[w.pane]
			if p == nil {
				return none{}, requestChanged(w.nick)
			}
			return none{}, l.decideAsk(p, q.ask, r.Option == yes)
		})
		return done, err
	}
	return done, l.byOption(ctx, q, reader, r.Option-1)
}

// byKeys answers with the keys that somebody chose.
func (l *loop) byKeys(ctx context.Context, q question, r *dialogReader, names []string) error {
	if err := l.ripe(ctx, q, r); err != nil {
		return err
	}
	drawn, err := l.pressKeys(ctx, q, r, names)
	if err != nil {
		return err
	}
	return l.taken(ctx, q, r, drawn, names[len(names)-1])
}

// byOption answers with one of the options, counted from 0.
func (l *loop) byOption(ctx context.Context, q question, r *dialogReader, option int) error {
	if err := l.ripe(ctx, q, r); err != nil {
		return err
	}
	drawn, key, err := l.choose(ctx, q, r, option)
	if err != nil {
		return err
	}
	return l.taken(ctx, q, r, drawn, key)
}

const (
	// youngTime is how long a dialog may have been drawn only a moment ago: what a
	// hook told of it may be much earlier.
	youngTime = 2 * time.Second
	// ripeTime is how long a dialog stands before a key is pressed. Some programs
	// drop what comes sooner, since it can't be meant for what nobody has read yet.
	ripeTime = 400 * time.Millisecond
)

// ripe waits until a dialog takes keys.
func (l *loop) ripe(ctx context.Context, q question, r *dialogReader) error {
	if time.Since(q.asked) > youngTime {
		return nil
	}
	if _, changed := r.until(ctx, ripeTime, func(d reading) bool { return d.print != q.print }); changed {
		return requestChanged(q.nick)
	}
	return nil
}

// goneTime is how long an answered dialog may take to go.
const goneTime = time.Second

// taken waits until an answer shows: whoever asks next what the agent does is
// not told of the request that was answered. drawn is the screen's generation
// before the last key: a dialog that looks as before is the next of its kind,
// if anything was drawn since, and else the same one, which dropped the key.
func (l *loop) taken(ctx context.Context, q question, r *dialogReader, drawn uint64, key string) error {
	d, gone := r.until(ctx, goneTime, func(d reading) bool { return d.print != q.print })
	if !gone && q.found && q.term.Generation() == drawn {
		if d, gone = r.until(ctx, keyTime, func(d reading) bool { return d.print != q.print || q.term.Generation() != drawn }); !gone {
			return notTaken(q, key)
		}
	}
	if !gone || d.found {
		return nil
	}
	_, _ = l.waitAgent(ctx, caller{}, wire.AgentWait{Target: string(q.pane), Timeout: goneTime.Milliseconds(),
		Until: slices.DeleteFunc(slices.Clone(waitStates), func(s lifecycle.State) bool { return s == lifecycle.NeedsInput })})
	return nil
}

// showAsked tells a client what an agent asks.
func (l *loop) showAsked(a *attached, p *pane) {
	sink, id := a.sink, p.id
	w, err := l.waitsFor(p)
	if err != nil {
		sink.reply(ui.AskedMsg{Pane: id, Problem: err.Error()})
		return
	}
	l.aside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*drawTime)
		defer cancel()
		reader := newDialogReader(w.term, w.status.Agent, l.eyes.set())
		defer reader.close()
		sink.reply(ui.AskedMsg{Pane: id, Asked: askedFor(l.look(ctx, w, reader))})
	})
}

// askedFor is the question as a client's screen shows it.
func askedFor(q question) ui.Asked {
	w := q.wire()
	out := ui.Asked{ID: w.Request, Matter: q.status.Request.ID, Tool: w.Tool, Text: w.Text, Rows: w.Rows, Yes: w.Yes, No: w.No, Hook: w.Hook}
	for _, e := range w.Edits {
		out.Edits = append(out.Edits, ui.Edit(e))
	}
	for _, o := range w.Options {
		out.Options = append(out.Options, ui.Option(o))
	}
	return out
}

// answerFor answers for a person at a client's screen.
func (l *loop) answerFor(a *attached, p *pane, r ui.Answer) error {
	w, err := l.waitsFor(p)
	if err != nil {
		return err
	}
	l.background(a.id, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), giveTime)
		defer cancel()
		_, err := l.give(ctx, w, wire.Answer{Request: r.Request, Option: r.Option})
		return err
	})
	return nil
}

// giveTime bounds what one answer may take.
const giveTime = 10 * keyTime

// press presses one key in the pane of a question.
func (l *loop) press(q question, key string) error {
	l.sent(q.pane, wire.Send{Keys: []string{key}})
	err := q.term.SendKeys([]string{key})
	switch {
	case errors.Is(err, term.ErrEnded):
		return &wire.Error{Code: wire.CodePaneEnded, Message: "the program of " + q.nick + " has ended"}
	case err != nil:
		return invalid("%v", err)
	}
	if s, ok := (*l.index.Load())[q.pane]; ok {
		s.looked.output()
	}
	return nil
}

// keyRest is how long a key's effect is waited for before the next one.
const keyRest = 300 * time.Millisecond

// pressKeys presses keys one at a time. What is asked is looked at before each.
// It returns the screen's generation before the last one.
func (l *loop) pressKeys(ctx context.Context, q question, r *dialogReader, names []string) (drawn uint64, err error) {
	for i, name := range names {
		if i > 0 {
			before := q.reading
			now, _ := r.until(ctx, keyRest, func(d reading) bool { return d.print != before.print || d.chosen() != before.chosen() })
			if now.print != q.print || !l.still(ctx, q) {
				return 0, &wire.Error{Code: wire.CodeRequestChanged, Message: fmt.Sprintf("the request of %s has changed after %d of %d keys", q.nick, i, len(names)),
					Hint: "deck answer " + q.nick + " shows what it asks"}
			}
			q.reading = now
		}
		drawn = q.term.Generation()
		if err := l.press(q, name); err != nil {
			return 0, err
		}
	}
	return drawn, nil
}

// still reports whether an agent waits with the same request.
func (l *loop) still(ctx context.Context, q question) bool {
	same, err := call(ctx, l, func() (bool, error) {
		p := l.panes[q.pane]
		return p != nil && p.term == q.term && p.status().Request.ID == q.status.Request.ID, nil
	})
	return same && err == nil
}

// choose takes an option as its dialog can be made to: Enter takes what is
// chosen, a number what it is drawn with, and arrows go to the rest. Nothing is
// pressed that was not seen to follow from what is shown. It returns the last
// key, and the screen's generation before it.
func (l *loop) choose(ctx context.Context, q question, r *dialogReader, option int) (drawn uint64, key string, err error) {
	now, whole := r.read()
	if !whole || now.print != q.print || !l.still(ctx, q) || q.typed != q.term.Typed() {
		return 0, "", requestChanged(q.nick)
	}
	if n := now.Options[option].Number; now.chosen() != option && n > 0 && n < 10 {
		key, drawn = strconv.Itoa(n), q.term.Generation()
		if err := l.press(q, key); err != nil {
			return 0, "", err
		}
		// Most dialogs are answered by that, and some have only moved to it.
		moved, ok := r.until(ctx, keyTime, func(d reading) bool { return d.print != q.print || d.chosen() == option })
		if !ok {
			return 0, "", notTaken(q, key)
		}
		if moved.print != q.print {
			return drawn, key, nil
		}
		if _, gone := r.until(ctx, keyRest, func(d reading) bool { return d.print != q.print }); gone {
			return drawn, key, nil
		}
		now = moved
	}
	if now, err = l.walk(ctx, q, r, now, option); err != nil {
		return 0, "", err
	}
	drawn = q.term.Generation()
	return drawn, "Enter", l.press(q, "Enter")
}

// walk goes to an option with the arrows.
func (l *loop) walk(ctx context.Context, q question, r *dialogReader, now reading, option int) (reading, error) {
	for now.chosen() != option {
		key, next := "Down", now.chosen()+1
		if option < now.chosen() {
			key, next = "Up", now.chosen()-1
		}
		if err := l.press(q, key); err != nil {
			return now, err
		}
		moved, ok := r.until(ctx, keyTime, func(d reading) bool { return d.print != q.print || d.chosen() == next })
		switch {
		case !ok:
			return now, notTaken(q, key)
		case moved.print != q.print:
			return now, requestChanged(q.nick)
		}
		now = moved
	}
	return now, nil
}

// notTaken is a dialog that does not do what its kind does.
func notTaken(q question, key string) *wire.Error {
	return &wire.Error{Code: wire.CodeNotTaken, Message: fmt.Sprintf("the dialog of %s did not take %s", q.nick, key), Hint: "answer it in its pane"}
}
