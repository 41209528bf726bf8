package server

import (
	"time"

	"deck/lifecycle"
	"deck/lifecycle/detect"
	"deck/term"
)

// senses turn what is known of a terminal into what the state of the agent in
// it is told. The agents of the loop and those of a recording have the same, so
// that what is explained is what is shown. They have no clock and no lock.
type senses struct {
	life     lifecycle.Agent
	drawn    uint64 // output that was told
	progress term.ProgressEvent
	shell    bool // a shell's prompt was the last that a shell marked
}

// told takes something that the program told its terminal. It may be forged by
// whatever prints into the terminal: it is shown, and nothing is done for it.
// With look, the screen means something else from then on.
func (s *senses) told(e term.Event, now time.Time) (f lifecycle.Effects, look bool) {
	switch e := e.(type) {
	case term.StatusEvent:
		// An invalid record is dropped whole.
		if r, err := detect.ParseRecord([]byte(e.Body)); err == nil {
			f = s.life.InBand(lifecycle.Record(r), now)
		}
	case term.ProgressEvent:
		s.progress, look = e, true
	case term.MarkEvent:
		if e.Kind == 'A' {
			f = s.life.PromptMark(now)
		}
		shell := e.Kind == 'A' || e.Kind == 'B'
		s.shell, look = shell, shell != s.shell
	case term.ResetEvent:
		f = s.life.Reset(now)
	case term.BellEvent:
		f = s.life.Bell(now)
	}
	return f, look
}

// subject is what a screen is looked at for, as far as it is known here.
func (s *senses) subject(agent string, generation uint64) subject {
	return subject{agent: agent, generation: generation, progress: s.progress.State, percent: s.progress.Percent, shell: s.shell}
}

// read judges a view by an agent's rules.
func (s subject) read(rules *detect.Set, v term.View) (detect.Screen, detect.Reading) {
	sc := screenOf(v)
	sc.Progress, sc.Percent, sc.Shell = s.progress, s.percent, s.shell
	return sc, rules.Read(s.agent, &sc)
}

// saw takes what a look at the screen came to, of output gen.
func (s *senses) saw(r detect.Reading, gen uint64, now time.Time) (f [3]lifecycle.Effects) {
	if gen > s.drawn {
		s.drawn = gen
		f[0] = s.life.Output(gen, now)
	}
	f[1] = s.life.Signal("title", r.Native.State, r.Native.Reason, now)
	f[2] = s.life.Screen(r.Screen, gen, now)
	return f
}
