package vt

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"deck/term/screen"
)

const (
	maxTitle = 1024 // bytes
	maxText  = 4096 // bytes of a notification or a folder
	// maxURI is in bytes; longer links are no links. It is the bound that other
	// terminals have, so programs stay within it.
	maxURI  = 2083
	maxBody = 8192 // bytes of a program status
)

// oscTable leads from an operating system command's number to its method.
var oscTable = map[int]func(e *Emulator, n int, data []byte, bel bool){
	0:    (*Emulator).oscTitle,
	2:    (*Emulator).oscTitle,
	4:    (*Emulator).oscPalette,
	7:    (*Emulator).oscDir,
	8:    (*Emulator).oscLink,
	9:    (*Emulator).oscNotify,
	10:   (*Emulator).oscDynamic,
	11:   (*Emulator).oscDynamic,
	12:   (*Emulator).oscDynamic,
	52:   (*Emulator).oscClipboard,
	99:   (*Emulator).oscKittyNotify,
	104:  (*Emulator).oscPaletteReset,
	110:  (*Emulator).oscDynamicReset,
	111:  (*Emulator).oscDynamicReset,
	112:  (*Emulator).oscDynamicReset,
	133:  (*Emulator).oscMark,
	777:  (*Emulator).oscNotify777,
	7501: (*Emulator).oscStatus,
}

// osc carries out an operating system command; unknown ones do nothing.
func (e *Emulator) osc(data []byte, bel bool) {
	num, rest, _ := bytes.Cut(data, []byte{';'})
	n, err := strconv.Atoi(string(num))
	if err != nil {
		return
	}
	if f := oscTable[n]; f != nil {
		f(e, n, rest, bel)
	}
}

// replyOSC answers with the terminator that the question had.
func (e *Emulator) replyOSC(body string, bel bool) {
	end := "\x1b\\"
	if bel {
		end = "\a"
	}
	e.reply([]byte("\x1b]" + body + end))
}

// clean returns b as text of at most limit bytes without control and format
// characters that could disturb or deceive where it is shown.
func clean(b []byte, limit int) string {
	s := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), r == utf8.RuneError, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069,
			r == 0x200e, r == 0x200f, r == 0x061c, r == 0x2028, r == 0x2029:
			return -1
		}
		return r
	}, string(b))
	if len(s) > limit {
		s = s[:limit]
		for len(s) > 0 && !utf8.ValidString(s) {
			s = s[:len(s)-1]
		}
	}
	return s
}

// oscTitle sets the title. The icon's name (OSC 1) has no place to be shown.
func (e *Emulator) oscTitle(_ int, data []byte, _ bool) { e.setTitle(clean(data, maxTitle)) }

func (e *Emulator) setTitle(t string) {
	if t != e.title {
		e.title = t
		e.emit(TitleEvent{t})
	}
}

// oscDir takes a file URL. A folder whose name has control characters is not
// believed, rather than shown as another one.
func (e *Emulator) oscDir(_ int, data []byte, _ bool) {
	u, err := url.Parse(string(data))
	if err != nil || u.Scheme != "file" && u.Scheme != "kitty-shell-cwd" {
		return
	}
	dir := clean([]byte(u.Path), maxText)
	if !strings.HasPrefix(dir, "/") || dir != u.Path {
		return
	}
	e.dir = dir
	e.emit(DirEvent{Host: clean([]byte(u.Host), maxTitle), Dir: dir})
}

// oscLink begins or ends a hyperlink: parameters, then the target.
func (e *Emulator) oscLink(_ int, data []byte, _ bool) {
	params, uri, ok := bytes.Cut(data, []byte{';'})
	if !ok {
		return
	}
	l := screen.Link{URI: clean(uri, maxURI+1)}
	for p := range bytes.SplitSeq(params, []byte{':'}) {
		if id, ok := bytes.CutPrefix(p, []byte("id=")); ok {
			l.ID = clean(id, 250)
		}
	}
	e.cur.pen.Link = 0
	if l.URI != "" && len(l.URI) <= maxURI {
		e.cur.pen.Link = e.table.LinkID(l)
	}
	e.penChanged()
}

// oscNotify is OSC 9: a notification, or one of the two of ConEmu's commands
// that have a meaning here.
func (e *Emulator) oscNotify(_ int, data []byte, _ bool) {
	cmd, rest, _ := strings.Cut(string(data), ";")
	switch cmd {
	case "4":
		state, percent, _ := strings.Cut(rest, ";")
		n, err := strconv.Atoi(state)
		if err != nil || n < 0 || n > 4 {
			return
		}
		p, _ := strconv.Atoi(percent)
		e.emit(ProgressEvent{State: n, Percent: max(0, min(p, 100))})
	case "9":
		if dir := strings.Trim(rest, `"`); strings.HasPrefix(dir, "/") && clean([]byte(dir), maxText) == dir {
			e.dir = dir
			e.emit(DirEvent{Dir: dir})
		}
	default:
		if body := clean(data, maxText); body != "" {
			e.emit(NotifyEvent{Body: body})
		}
	}
}

// oscNotify777 is the form of rxvt: notify, a title, a body.
func (e *Emulator) oscNotify777(_ int, data []byte, _ bool) {
	if rest, ok := bytes.CutPrefix(data, []byte("notify;")); ok {
		title, body, _ := bytes.Cut(rest, []byte{';'})
		e.emit(NotifyEvent{Title: clean(title, maxText), Body: clean(body, maxText)})
	}
}

// oscKittyNotify is OSC 99: metadata, then a title or a body, perhaps in
// several pieces with one id.
func (e *Emulator) oscKittyNotify(_ int, data []byte, _ bool) {
	meta, payload, _ := bytes.Cut(data, []byte{';'})
	id, part, done, coded := "", "title", true, false
	for f := range strings.SplitSeq(string(meta), ":") {
		k, v, _ := strings.Cut(f, "=")
		switch k {
		case "i":
			id = clean([]byte(v), 128)
		case "p":
			part = v
		case "d":
			done = v != "0"
		case "e":
			coded = v == "1"
		}
	}
	if part != "title" && part != "body" {
		return
	}
	if coded {
		payload = decodeBase64(payload)
	}
	n := &e.notify
	if n.ID != id {
		*n = NotifyEvent{ID: id}
	}
	text := clean(payload, maxText)
	if part == "title" && len(n.Title) < maxText {
		n.Title += text
	} else if part == "body" && len(n.Body) < maxText {
		n.Body += text
	}
	if done {
		e.emit(*n)
		*n = NotifyEvent{}
	}
}

// decodeBase64 decodes b with or without padding; nil where it is not base64.
func decodeBase64(b []byte) []byte {
	b = bytes.TrimRight(b, "=")
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(b)))
	n, err := base64.RawStdEncoding.Decode(out, b)
	if err != nil {
		return nil
	}
	return out[:n]
}

// oscClipboard is OSC 52. A question is never answered: what is on a person's
// clipboard is not for whatever prints in a pane.
func (e *Emulator) oscClipboard(_ int, data []byte, _ bool) {
	sel, coded, ok := bytes.Cut(data, []byte{';'})
	if !ok || string(coded) == "?" {
		return
	}
	if text := decodeBase64(coded); text != nil {
		if len(sel) == 0 {
			sel = []byte("c")
		}
		e.emit(ClipboardEvent{Selection: clean(sel, 16), Data: text})
	}
}

// oscMark keeps a shell's semantic mark with the row it stands on.
func (e *Emulator) oscMark(_ int, data []byte, _ bool) {
	if len(data) == 0 || !strings.ContainsRune("ABCDP", rune(data[0])) {
		return
	}
	m := MarkEvent{Kind: data[0], Exit: -1, Row: e.cur.y}
	if fields := strings.Split(string(data), ";"); m.Kind == 'D' && len(fields) > 1 {
		if n, err := strconv.Atoi(fields[1]); err == nil {
			m.Exit = n
		}
	}
	e.emit(m)
}

// oscStatus is OSC 7501. The question is answered with itself: that is how a
// program learns that its reports are read.
func (e *Emulator) oscStatus(_ int, data []byte, bel bool) {
	if string(data) == "?" {
		if !e.opts.NoStatus {
			e.replyOSC("7501;?", bel)
		}
		return
	}
	if len(data) <= maxBody && utf8.Valid(data) {
		e.emit(StatusEvent{Body: string(data)})
	}
}
