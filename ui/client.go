package ui

import (
	"bytes"
	"fmt"
	"math"
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"
	"deck/ui/paint"
)

// Token is a piece of what a client's terminal sent, as Host.Input gets it.
type Token = keys.Token

// CheckKey says what is wrong with the name of a key, nil where nothing is.
func CheckKey(name string) error {
	_, err := keys.Parse(name)
	return err
}

// CheckPrefix says what is wrong with a prefix key. A letter or Enter would be
// taken from every program; some people give up a sign for it.
func CheckPrefix(name string) error {
	_, err := parsePrefix(name)
	return err
}

func parsePrefix(name string) (keys.Key, error) {
	k, err := keys.Parse(name)
	if err != nil {
		return k, err
	}
	typed := unicode.In(rune(k.Code), unicode.L, unicode.N, unicode.Zs) || k.Code == keys.Enter || k.Code == keys.Tab || k.Code == keys.Backspace
	if typed && k.Mods&^keys.Shift == 0 {
		return k, fmt.Errorf("text is typed with %s: it needs C- or M-", name)
	}
	return k, nil
}

// maxCopy is the most bytes of text that one copy puts on the terminal's
// clipboard; terminals give up on longer ones, each at a limit of its own.
const maxCopy = 512 << 10

// ClientOptions is what is known of a terminal when it attaches.
type ClientOptions struct {
	Env        map[string]string // of the client: TERM, COLORTERM, LANG, …
	W, H       int               // cells
	Settings   Settings
	NoMouse    bool          // the terminal keeps its mouse to itself
	EscapeTime time.Duration // how long a lone ESC waits; 0: the tokenizer's own choice
}

// Client is one attached terminal from end to end: its bytes in, its bytes out,
// and the Model between. It is a state machine without goroutines and clock;
// whoever runs it reads, writes and waits. Every call that can change the screen
// is followed by Frame.
type Client struct {
	host    Host
	model   *Model
	tokens  keys.Tokenizer
	escape  time.Duration
	flushAt time.Time // when a lone ESC becomes a key; zero: none is held
	clockAt time.Time // when the model is told the time again; zero: it shows none
	profile paint.Profile
	painter *paint.Painter
	pacer   paint.Pacer
	canvas  *screen.Canvas
	cmds    []tea.Cmd
	ahead   []byte    // what goes out before the next frame
	frame   []byte    // the last frame; its reader has it until Accepted
	now     time.Time // of the call that is being served
	begun   bool      // a state came; before that there is nothing to show
	echo    echo
	passed  bool      // a token went on to a pane
	asked   bool      // what the terminal is asked when it is entered, and has not answered
	askedAt time.Time // when that went out
	dropped bool      // a frame was not written
}

// NewClient returns a client whose first frame sets the terminal up.
func NewClient(h Host, o ClientOptions) *Client {
	w, rows := clampSize(o.W, o.H)
	c := &Client{host: h, escape: o.EscapeTime, profile: paint.Detect(o.Env), canvas: screen.NewCanvas(w, rows)}
	if o.NoMouse {
		c.profile.Mouse = false
	}
	c.canvas.Follow()
	c.painter = paint.New(c.profile, w, rows)
	c.model = New(clientHost{h, c}, c.adapt(o.Settings))
	c.ahead = c.enter()
	c.take(c.model.Init())
	c.update(SizeMsg{W: w, H: rows})
	return c
}

// enter returns what takes the terminal over.
func (c *Client) enter() []byte {
	c.dropped = false
	b := c.painter.Enter()
	c.asked, c.askedAt = bytes.HasSuffix(b, []byte("\x1b[c")), time.Time{}
	return b
}

// adapt fills in what the terminal cannot do.
func (c *Client) adapt(s Settings) Settings {
	s.NoColor = s.NoColor || c.profile.Colors == paint.NoColor
	s.ASCII = s.ASCII || c.profile.ASCII
	return s
}

// clampSize keeps what a terminal says of its size within what can be drawn.
func clampSize(w, h int) (int, int) { return min(max(w, 1), 1000), min(max(h, 1), 500) }

// Input takes bytes of the terminal. p may be used again afterwards.
func (c *Client) Input(p []byte, now time.Time) {
	c.now = now
	if c.model.takesKeys() {
		// What a key does here may depend on it, and the model's time may be old.
		c.update(ClockMsg{Now: now})
		defer c.setClock(now)
	}
	c.give(c.tokens.Feed(p), now)
	c.flushAt = time.Time{}
	if d := c.tokens.Pending(); d > 0 {
		if c.escape > 0 {
			d = c.escape
		}
		c.flushAt = now.Add(d)
	}
}

// give sorts tokens: replies are deck's own, everything else the model's.
func (c *Client) give(tokens []keys.Token, now time.Time) {
	typed, shown := false, !c.model.still()
	for _, t := range tokens {
		if t.Kind == keys.Reply {
			c.reply(t.Raw, now)
			continue
		}
		typed, c.passed = true, false
		c.update(TokenMsg{Token: t})
		shown = shown || !c.passed
	}
	if !typed {
		return
	}
	// In this order: what the model shows at once must not take the early frame
	// of the program's answer.
	if shown || !c.model.still() {
		c.pacer.Dirty(now)
	}
	c.pacer.Input(now)
}

// still reports that nothing but the panes' programs changes the screen: a key
// that is passed on is not followed by a frame before its answer.
func (m *Model) still() bool {
	v := m.views[m.where.focus()]
	return m.frame.dirty == 0 && m.over == nil && m.copying == nil && !m.prefix.popup && v != nil && v.up == 0
}

// reply takes an answer of the terminal: how far it is, or what it can do.
func (c *Client) reply(raw []byte, now time.Time) {
	if paint.IsStatusReply(raw) {
		c.pacer.Acked(now, 1)
		return
	}
	if paint.IsSchemeReply(raw) {
		c.write(c.profile.ColorQueries())
		return
	}
	if bytes.HasPrefix(raw, []byte("\x1b[?")) && bytes.HasSuffix(raw, []byte("c")) {
		c.asked = false // it answers in order, and this was the last question
	}
	was := c.colors()
	if c.profile.Learn(raw) {
		c.painter.SetProfile(c.profile)
		c.pacer.Dirty(now)
	}
	if is := c.colors(); is != was {
		c.host.Do(is)
	}
}

// colors are those that the terminal told.
func (c *Client) colors() Colors {
	p := &c.profile
	return Colors{Fg: p.Fg, Bg: p.Bg, Cursor: p.Cursor, Palette: p.Palette}
}

// Resize says that the terminal has a new size.
func (c *Client) Resize(w, h int, now time.Time) {
	c.now = now
	w, h = clampSize(w, h)
	c.canvas.Resize(w, h)
	c.painter.Resize(w, h)
	c.Update(SizeMsg{W: w, H: h}, now)
}

// Reenter sets up a terminal that lost its modes and its screen, and draws all
// of it. What was asked of it before is not answered any more.
func (c *Client) Reenter(now time.Time) {
	c.pacer.Acked(now, math.MaxInt)
	c.ahead = append(c.enter(), c.ahead...)
	c.Update(RowsMsg{}, now)
}

// Update gives the model a message: of the server, or the result of a command.
func (c *Client) Update(msg tea.Msg, now time.Time) {
	c.now = now
	switch m := msg.(type) {
	case SettingsMsg:
		msg = SettingsMsg{Settings: c.adapt(m.Settings)}
	case StateMsg:
		c.begun = true
		c.update(ClockMsg{Now: now})
	case AlertMsg:
		c.update(ClockMsg{Now: now})
	}
	c.update(msg)
	c.setClock(now)
	if c.begun {
		c.pacer.Busy()
	}
}

// setClock sets when the ages on the screen will have become others.
func (c *Client) setClock(now time.Time) {
	step, ok := c.model.clockStep()
	switch {
	case !ok:
		c.clockAt = time.Time{}
	case c.clockAt.IsZero() || c.clockAt.After(now.Add(step)):
		c.clockAt = now.Add(step)
	}
}

// tellTime tells the model the time when that is due. The screen is drawn only
// where it changes something.
func (c *Client) tellTime(now time.Time) {
	if c.clockAt.IsZero() || now.Before(c.clockAt) {
		return
	}
	c.clockAt = time.Time{}
	c.update(ClockMsg{Now: now})
	c.setClock(now)
	if c.begun && (c.model.frame.dirty != 0 || c.model.over != nil) {
		c.pacer.Busy()
	}
}

func (c *Client) update(msg tea.Msg) {
	_, cmd := c.model.Update(msg)
	c.take(cmd)
}

func (c *Client) take(cmd tea.Cmd) {
	if cmd != nil {
		c.cmds = append(c.cmds, cmd)
	}
}

// Changed says that a pane on the screen has something new to draw. Where that
// is the answer to a key it is drawn at once; what the neighbours do meanwhile
// must not take its turn.
func (c *Client) Changed(now time.Time) {
	if !c.begun {
		return
	}
	if !c.echo.came() {
		c.pacer.Busy()
		return
	}
	c.echo = echo{}
	c.pacer.Dirty(now)
}

// Heeds reports whether Changed would change anything: not while a frame is to come
// anyway and no key waits for its answer. Who writes a lot need not wake the client
// each time.
func (c *Client) Heeds() bool { return c.echo.screen != nil || !c.pacer.IsDirty() }

// echo is what a person waits for after a key: that the pane typed into changes.
type echo struct {
	screen Screen // nil: nothing was typed
	before uint64 // its generation when it was
}

func (e echo) came() bool { return e.screen != nil && e.screen.Generation() != e.before }

// Visible returns the panes whose changes concern this client.
func (c *Client) Visible() []layout.PaneID { return c.model.Visible() }

// Commands returns what the model wants run, and forgets it. The caller runs
// each away from this client and gives its message to Update.
func (c *Client) Commands() []tea.Cmd {
	cmds := c.cmds
	c.cmds = nil
	return cmds
}

// Tick does what is due: a lone ESC that waited long enough becomes a key, and
// ages grow.
func (c *Client) Tick(now time.Time) {
	c.now = now
	c.tellTime(now)
	if c.flushAt.IsZero() || now.Before(c.flushAt) {
		return
	}
	c.flushAt = time.Time{}
	c.give(c.tokens.Flush(), now)
}

// Frame returns what to write to the terminal, nil where nothing is due, and
// after how long to call Tick and Frame again if nothing happens before. There
// is one frame at a time: the next one comes after Accepted, and until then the
// bytes stay as they are.
func (c *Client) Frame(now time.Time) (frame []byte, wait time.Duration) {
	wait, draw := c.pacer.Next(now)
	if draw {
		frame = c.draw()
		if c.asked && c.askedAt.IsZero() {
			c.askedAt = now
		}
		if len(frame) == 0 {
			c.pacer.Wrote(now, 0)
			wait, _ = c.pacer.Next(now)
		} else {
			wait = paint.Forever
		}
	}
	if !c.flushAt.IsZero() {
		wait = min(wait, max(c.flushAt.Sub(now), 0))
	}
	if !c.clockAt.IsZero() {
		wait = min(wait, max(c.clockAt.Sub(now), 0))
	}
	return frame, wait
}

// draw composes the screen and returns the way to it from what the terminal
// shows.
func (c *Client) draw() []byte {
	cursor, title := c.model.Draw(c.canvas)
	c.painter.SetMotion(c.model.WantsMotion())
	c.painter.SetStatus(c.model.frame.status)
	c.frame = append(c.frame[:0], c.ahead...)
	c.frame = append(c.frame, c.painter.Paint(c.canvas, cursor, title)...)
	c.ahead = c.ahead[:0]
	if len(c.frame) == 0 {
		return nil
	}
	c.frame = c.pacer.Stamp(c.frame)
	return c.frame
}

// Accepted says that the last frame was taken by the transport.
func (c *Client) Accepted(now time.Time) { c.pacer.Wrote(now, len(c.frame)) }

// Leave returns what gives the terminal back as it was. It may be written at
// any time, after a frame that was cut short as well.
func (c *Client) Leave() []byte {
	b := c.painter.Leave()
	if c.dropped && c.profile.ModifyOtherKeys {
		// The painter may believe that it has switched to another encoding of keys;
		// everything else it undoes in any case.
		b = append([]byte("\x1b\\\x1b[>4m"), b...)
	}
	return b
}

// Dropped says that a frame was not written, or not all of it. Leave follows.
func (c *Client) Dropped() { c.dropped = true }

// silence is after which a terminal that has not answered is one that does not.
const silence = 2 * time.Second

// Owes takes the answers out of what the terminal sends after Leave, where there
// is nobody any more to type to, and reports whether more of them are to come.
func (c *Client) Owes(p []byte, now time.Time) bool {
	for _, t := range c.tokens.Feed(p) {
		if t.Kind == keys.Reply {
			c.reply(t.Raw, now)
		}
	}
	return c.asked && now.Sub(c.askedAt) < silence || c.pacer.Ahead() > 0
}

// Copy puts text on the terminal's clipboard (OSC 52) with the next frame.
func (c *Client) Copy(text string) {
	if len(text) > maxCopy {
		c.take(func() tea.Msg { return NoticeMsg{Text: "too long for the terminal's clipboard", Error: true} })
		return
	}
	c.write(string(paint.Clipboard(text)))
}

// Ring rings the terminal's bell with the next frame.
func (c *Client) Ring() { c.write("\a") }

// maxAhead bounds what waits for a terminal that does not read.
const maxAhead = 4 << 20

// write puts a whole sequence before the next frame.
func (c *Client) write(s string) {
	if len(c.ahead)+len(s) <= maxAhead {
		c.ahead = append(c.ahead, s...)
		c.pacer.Dirty(c.now)
	}
}

// tell has the terminal tell a person something, as it can.
func (c *Client) tell(n Notify) {
	if n.Bell {
		c.Ring()
		return
	}
	c.write(string(c.profile.Notify(n.Title, n.Text)))
}

// clientHost is the Host that a client's model sees: what is for the terminal
// stays with the client, everything else goes on.
type clientHost struct {
	Host
	client *Client
}

// Input gives a token to a pane, and begins to wait for its answer.
func (h clientHost) Input(id layout.PaneID, t Token) {
	if t.Kind != keys.FocusIn && t.Kind != keys.FocusOut {
		h.client.echo, h.client.passed = echo{}, true
		if s := h.Screen(id); s != nil {
			h.client.echo = echo{screen: s, before: s.Generation()}
		}
	}
	h.Host.Input(id, t)
}

// Do carries out a request.
func (h clientHost) Do(r Request) {
	switch r := r.(type) {
	case Copy:
		h.client.Copy(r.Text)
	case Notify:
		h.client.tell(r)
	default:
		h.Host.Do(r)
	}
}
