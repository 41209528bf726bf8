package ui

import (
	"slices"
	"time"

	"deck/term/keys"
	"deck/term/layout"
	"deck/term/screen"

	tea "charm.land/bubbletea/v2"
)

// Model is the screen of one attached client. It is a Bubble Tea model that
// its client drives itself; one goroutine uses it.
type Model struct {
	host     Host
	settings Settings
	bindings bindings

	state State
	w, h  int
	views views   // per pane: what was drawn of it
	where place   // which tab and pane this client looks at
	side  sidebar // the list on the left
	geo   geometry

	over    overlay // the open box, nil when none is
	copying *copyMode
	prefix  prefix
	notice  notice
	drag    drag
	edges   int // timers of edges that were started
	clicks  clicks
	copied  string // last text copied, for the paste action
	forms   int    // that were opened

	now     time.Time // as last told; zero: not told yet
	snoozed map[layout.PaneID]snooze
	alerted map[layout.PaneID]matter

	told  told // what host and programs were last told
	frame frame
}

// told remembers what was last said, so that it is said once.
type told struct {
	use     Use
	focus   layout.PaneID // whose program believes to have the focus
	outside bool          // the client's terminal itself lost the focus
}

// New returns the model of a client that has not been told its size yet.
func New(host Host, s Settings) *Model {
	m := &Model{host: host, views: views{}, where: newPlace(), side: sidebar{on: true},
		snoozed: map[layout.PaneID]snooze{}, alerted: map[layout.PaneID]matter{}}
	m.frame.dirty = dirtyAll
	_ = m.set(s)
	return m
}

// Init does nothing: everything a model needs arrives as a message.
func (m *Model) Init() tea.Cmd { return nil }

// Update takes one message and routes it.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.route(msg)
	m.settle()
	return m, cmd
}

// route names who takes which message, and nothing more.
func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case SizeMsg:
		m.resize(msg.W, msg.H)
	case StateMsg:
		m.take(msg.State)
	case TokenMsg:
		return m.token(msg.Token)
	case FocusMsg:
		m.show(msg.Pane)
	case NoticeMsg:
		return m.notify(msg.Text, msg.Error)
	case AlertMsg:
		return m.alert(msg.Pane)
	case LaunchersMsg:
		m.takeLaunchers(msg)
	case SentMsg:
		return m.takeSent(msg)
	case TasksMsg:
		m.takeTasks(msg)
	case AskedMsg:
		m.takeAsked(msg)
	case RecalledMsg:
		return m.takeRecalled(msg)
	case NoteMsg:
		m.takeNote(msg)
	case InsertedMsg:
		return m.takeInserted(msg)
	case ProjectMsg:
		m.takeProject(msg)
	case ClockMsg:
		m.clock(msg.Now)
	case SettingsMsg:
		return m.set(msg.Settings)
	case whichKeyMsg:
		m.showWhichKey(msg)
	case repeatEndedMsg:
		m.endRepeat(msg)
	case noticeEndedMsg:
		m.endNotice(msg)
	case clickEndedMsg:
		m.endClicks(msg)
	case edgeMsg:
		return m.scrollOn(msg)
	case numbersEndedMsg:
		m.endNumbers(msg)
	}
	return nil
}

// set replaces the settings. What is wrong with the keys becomes a notice.
func (m *Model) set(s Settings) tea.Cmd {
	m.settings = s
	var problems string
	m.bindings, problems = bind(s)
	m.frame.theme = newTheme(s.NoColor, s.ASCII)
	m.touchAll()
	if problems != "" {
		return m.notify(problems, true)
	}
	return nil
}

// resize lets go of the mouse: what it held is elsewhere.
func (m *Model) resize(w, h int) {
	m.w, m.h = max(w, 0), max(h, 0)
	m.drag = drag{}
	if _, ok := m.over.(*numbers); ok {
		m.over = nil
	}
	m.arrange()
}

// take replaces the state and looks for a place where the old one is gone.
func (m *Model) take(s State) {
	old := m.state
	m.state = s
	m.where.follow(old, s)
	m.views.keep(s)
	if m.copying != nil && m.views[m.copying.pane] == nil {
		m.copying = nil
	}
	if p, ok := s.Pane(m.where.wanted); ok {
		m.show(p.ID)
	}
	if u, ok := m.over.(updater); ok {
		m.over = u.State(s)
	}
	m.keepMatters()
	m.refreshAttention()
	m.arrange()
}

// show brings a pane to the screen and focuses it; one that is not known is
// shown as soon as the state has it, one of another session with that.
func (m *Model) show(id layout.PaneID) {
	p, ok := m.state.Pane(id)
	if !ok {
		m.where.wanted = id
		for _, o := range m.state.Others {
			if o.ID == id {
				m.host.Do(SwitchSession{Session: o.Session, Pane: id})
			}
		}
		return
	}
	m.where.wanted = ""
	m.where.visit(m.state.Session, p.Tab, id)
	if m.copying != nil && m.copying.pane != id {
		m.leaveCopy()
	}
	m.arrange()
}

// focused returns the pane that has this client's keyboard, and false when
// there is none.
func (m *Model) focused() (Pane, bool) { return m.state.Pane(m.where.focus()) }

// Visible returns the panes on the screen: those whose changes concern this
// client.
func (m *Model) Visible() []layout.PaneID {
	ids := make([]layout.PaneID, 0, len(m.geo.places))
	for _, p := range m.geo.places {
		ids = append(ids, p.Pane)
	}
	return ids
}

// WantsMotion reports whether the client's terminal must report the mouse
// without a button held, for the program of the focused pane.
func (m *Model) WantsMotion() bool {
	s := m.host.Screen(m.where.focus())
	return m.over == nil && m.copying == nil && s != nil && s.Modes().Mouse == keys.MouseAny
}

// settle tells host and programs what an update changed about focus and sizes.
func (m *Model) settle() {
	id := m.where.focus()
	if id != "" && !m.saidUse(id) {
		m.told.use = Use{Tab: m.where.tab(), Pane: id, Sizes: m.geo.sizes(), Zoomed: m.where.zoomed()}
		m.host.Do(m.told.use)
	}
	if m.told.outside {
		id = ""
	}
	if id == m.told.focus || m.settings.ReadOnly {
		return
	}
	if _, ok := m.state.Pane(m.told.focus); ok {
		m.host.Input(m.told.focus, keys.Token{Kind: keys.FocusOut, Raw: []byte("\x1b[O")})
	}
	if id != "" {
		m.host.Input(id, keys.Token{Kind: keys.FocusIn, Raw: []byte("\x1b[I")})
	}
	m.told.focus = id
}

// saidUse reports whether the server knows what this client looks at.
func (m *Model) saidUse(id layout.PaneID) bool {
	u := m.told.use
	return u.Tab == m.where.tab() && u.Pane == id && u.Zoomed == m.where.zoomed() &&
		slices.EqualFunc(u.Sizes, m.geo.places, func(told, now layout.Place) bool {
			return told.Pane == now.Pane && told.Rect == inner(now.Rect)
		})
}

// View returns the screen as plain text. The client draws with Draw; this
// serves whoever drives the model by hand.
func (m *Model) View() tea.View {
	c := screen.NewCanvas(m.w, m.h)
	m.Draw(c)
	return tea.NewView(plain(c))
}
