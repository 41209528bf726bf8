package paint

import (
	"encoding/base64"
	"strings"
	"testing"

	"deck/term/screen"
)

func TestStatusIsToldToWhoTakesItAndOnce(t *testing.T) {
	t.Parallel()
	prof, c := full(), screen.NewCanvas(20, 3)
	m, p := newModel(t, 20, 3, true), New(prof, 20, 3)
	m.write(string(p.Enter()))
	p.SetStatus(Status{State: "working"})
	m.write(string(p.Paint(c, screen.Cursor{}, "")))
	if m.status != "" {
		t.Errorf("told unasked: %q", m.status)
	}
	prof.Learn([]byte(statusQuery))
	p.SetProfile(prof)
	m.write(string(p.Paint(c, screen.Cursor{}, "")))
	if m.status != "state=working:app=deck" {
		t.Errorf("told %q", m.status)
	}
	if again := string(p.Paint(c, screen.Cursor{}, "")); again != "" {
		t.Errorf("told again: %q", again)
	}
	p.SetStatus(Status{State: "blocked", Kind: "permission", Message: "rm\x1b\x07 -rf"})
	m.write(string(p.Paint(c, screen.Cursor{}, "")))
	if want := "state=blocked:app=deck:kind=permission:msg=" + base64.StdEncoding.EncodeToString([]byte("rm -rf")); m.status != want {
		t.Errorf("told %q, want %q", m.status, want)
	}
	m.write(string(p.Leave()))
	if m.status != "state=clear" {
		t.Errorf("left standing: %q", m.status)
	}
	m.write(string(p.Enter()))
	m.write(string(p.Paint(c, screen.Cursor{}, "")))
	if !strings.HasPrefix(m.status, "state=blocked") {
		t.Errorf("after entering again: %q", m.status)
	}
}

func TestALongMessageIsCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	s := Status{State: "blocked", Message: "x" + strings.Repeat("é", 2000)}.encode()
	_, text, _ := strings.Cut(strings.TrimSuffix(s, "\x1b\\"), ":msg=")
	msg, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(msg) != 2047 || strings.ContainsRune(string(msg), '\ufffd') {
		t.Errorf("%d bytes: %v", len(msg), err)
	}
}
