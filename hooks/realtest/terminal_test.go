package realtest

import (
	"context"
	"strings"

	"deck/term/vt"
	"deck/term/wire"
)

// terminal is an attached client as a person has one, and what it showed.
type terminal struct {
	stream *wire.Stream
	shots  *record[string]
	gone   chan struct{}
}

// attach opens one. Its window has not the focus, so that nothing counts as
// seen by a person.
func attach(ctx context.Context, conn *wire.Conn, cols, rows int) (*terminal, error) {
	s, err := conn.Attach(ctx, wire.Attach{Protocol: wire.Protocol, Version: wire.Version, Session: "main", Dir: "/", Size: wire.Size{Cols: cols, Rows: rows},
		Env: map[string]string{"TERM": "xterm-256color", "LANG": "C.UTF-8", "COLORTERM": "truecolor"}})
	if err != nil {
		return nil, err
	}
	t := &terminal{stream: s, shots: newRecord[string](), gone: make(chan struct{})}
	go t.read(vt.New(cols, rows, vt.Options{}))
	return t, nil
}

func (t *terminal) read(em *vt.Emulator) {
	defer close(t.gone)
	for last := ""; ; {
		kind, payload, err := t.stream.Read()
		if err != nil || kind == wire.FrameExit {
			return
		}
		em.Write(payload)
		if replies := em.TakeReplies(nil); len(replies) > 0 {
			_ = t.stream.Input(replies)
		}
		if text := shown(em); text != last {
			t.shots.add(text)
			last = text
		}
	}
}

func (t *terminal) close() {
	_ = t.stream.Close()
	<-t.gone
}

// shown is an emulator's screen as text.
func shown(em *vt.Emulator) string {
	var b strings.Builder
	_, rows := em.Size()
	for y := range rows {
		for _, c := range em.Row(y) {
			b.WriteString(em.Table().Text(c.Char))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
