package server

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"deck/lifecycle"
	"deck/term/layout"
	"deck/term/wire"
)

// touched follows what an agent has changed. Who changes what another has changed a
// moment ago is told so, once for each file and pair.
func (l *loop) touched(p *pane, paths []string) {
	now := time.Now()
	for _, path := range paths {
		if !filepath.IsAbs(path) || len(path) > maxText*8 {
			continue
		}
		ids := l.files.Touch(string(p.id), path, now)
		l.wakeAt(l.files.Next())
		if len(ids) == 0 {
			continue
		}
		var who []string
		for _, id := range ids {
			if q := l.panes[layout.PaneID(id)]; q != nil {
				who = append(who, q.nick)
			}
		}
		if len(who) == 0 {
			continue
		}
		l.dirty = true
		l.log.Info("agents change the same file", "pane", string(p.id), "with", ids)
		l.emit(wire.Event{Type: "clash", ID: string(p.id), Session: p.tab.session.name, File: cleanText(path, maxText), With: who})
		m := lifecycle.Message{ID: l.newMessageID(), Kind: kindClash, From: ids[0], Text: clashNote(who, path)}
		if _, err := l.mailTo(p, m); err != nil {
			l.log.Info("an agent is not told", "pane", string(p.id), "err", err)
		}
	}
}

// clashNote is what an agent is told whose file others have changed.
func clashNote(who []string, path string) string {
	others := strings.Join(who, " and ")
	return fmt.Sprintf("A note from deck, not from the user: %s changed this file in the last %d minutes, and so did you: %s\n"+
		"Read it again before you go on, and agree with %s on who changes it: deck tell %s \"...\"",
		others, int(lifecycle.FileClaim.Minutes()), cleanText(path, maxText), others, who[0])
}
