package ui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"deck/lifecycle"
	"deck/term/screen"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden screens")

// goldenSizes are the sizes at which every screen is looked at.
var goldenSizes = [][2]int{{200, 50}, {80, 24}, {60, 20}, {30, 8}, {20, 5}}

// goldenScreens are the screens, by the name of their file.
var goldenScreens = map[string]func(testing.TB, int, int) *world{
	"shell":       func(t testing.TB, w, h int) *world { return newWorld(t, w, h, oneShell(), Settings{}) },
	"three-first": func(t testing.TB, w, h int) *world { return newWorld(t, w, h, threePanes(), Settings{}) },
	"three-second": func(t testing.TB, w, h int) *world {
		return newWorld(t, w, h, threePanes(), Settings{}).press("C-a", "Right")
	},
	"three-third": func(t testing.TB, w, h int) *world {
		wd := newWorld(t, w, h, threePanes(), Settings{})
		wd.Update(FocusMsg{"p3"})
		return wd
	},
	"zoom": func(t testing.TB, w, h int) *world {
		wd := newWorld(t, w, h, threePanes(), Settings{}).press("C-a", "o", "C-a", "z")
		wd.fit()
		return wd
	},
	"ended": func(t testing.TB, w, h int) *world {
		s := threePanes()
		s.Panes[0].Ended, s.Panes[0].Exit, s.Panes[0].Program = true, "exit 1", "make"
		return newWorld(t, w, h, s, Settings{})
	},
	"states": func(t testing.TB, w, h int) *world { return newWorld(t, w, h, everyState(), Settings{}) },
	"which-key": func(t testing.TB, w, h int) *world {
		wd := newWorld(t, w, h, threePanes(), Settings{}).press("C-a")
		wd.Update(whichKeyMsg{wd.prefix.turn})
		return wd
	},
	"help": func(t testing.TB, w, h int) *world {
		return newWorld(t, w, h, threePanes(), Settings{}).press("C-a", "?")
	},
	"chooser": func(t testing.TB, w, h int) *world {
		return newWorld(t, w, h, everyState(), Settings{}).press("C-a", "w")
	},
	"chooser-filter": func(t testing.TB, w, h int) *world {
		return newWorld(t, w, h, threePanes(), Settings{}).press("C-a", "w", "'deck bash", "Down")
	},
	"rename": func(t testing.TB, w, h int) *world {
		return newWorld(t, w, h, threePanes(), Settings{}).press("C-a", ",", "'the build")
	},
	"confirm": func(t testing.TB, w, h int) *world {
		return newWorld(t, w, h, threePanes(), Settings{}).press("C-a", "x")
	},
	"numbers": func(t testing.TB, w, h int) *world {
		return newWorld(t, w, h, threePanes(), Settings{}).press("C-a", "q")
	},
	"copy": func(t testing.TB, w, h int) *world {
		wd := newWorld(t, w, h, threePanes(), Settings{})
		wd.Update(FocusMsg{"p3"})
		return wd.press("C-a", "[", "/", "'part", "Enter", "N", "v", "Left", "Left", "Up")
	},
	"searching": func(t testing.TB, w, h int) *world {
		wd := newWorld(t, w, h, threePanes(), Settings{})
		wd.Update(FocusMsg{"p3"})
		return wd.press("C-a", "[", "?", "'part1")
	},
	"notice": func(t testing.TB, w, h int) *world {
		wd := newWorld(t, w, h, threePanes(), Settings{})
		wd.Update(NoticeMsg{"can't find pane: build \x1b[31mevil", true})
		return wd
	},
	"read-only": func(t testing.TB, w, h int) *world {
		return newWorld(t, w, h, threePanes(), Settings{ReadOnly: true}).press("x")
	},
	"no-colour": func(t testing.TB, w, h int) *world {
		wd := newWorld(t, w, h, everyState(), Settings{NoColor: true})
		wd.Update(FocusMsg{"p2"})
		return wd
	},
	"agents": func(t testing.TB, w, h int) *world { return newAgents(t, w, h, Settings{}) },
	"agents-by-need": func(t testing.TB, w, h int) *world {
		wd := newAgents(t, w, h, Settings{}).press("C-a", "S")
		wd.Update(noticeEndedMsg{wd.notice.turn})
		return wd
	},
	"agents-zoom": func(t testing.TB, w, h int) *world {
		wd := newAgents(t, w, h, Settings{}).press("C-a", "N", "C-a", "z")
		wd.fit()
		return wd
	},
	"agents-no-colour": func(t testing.TB, w, h int) *world { return newAgents(t, w, h, Settings{NoColor: true}) },
	"agents-ascii":     func(t testing.TB, w, h int) *world { return newAgents(t, w, h, Settings{NoColor: true, ASCII: true}) },
	"attention": func(t testing.TB, w, h int) *world {
		wd := newAgents(t, w, h, Settings{}).press("C-a", "i", "Down", "s", "Down")
		wd.draw()
		return wd
	},
	"attention-no-colour": func(t testing.TB, w, h int) *world {
		return newAgents(t, w, h, Settings{NoColor: true}).press("C-a", "i")
	},
	"attention-empty": func(t testing.TB, w, h int) *world {
		return newWorld(t, w, h, threePanes(), Settings{}).press("C-a", "i")
	},
	"answer-shell": func(t testing.TB, w, h int) *world { return newAnswering(t, w, h, shellAsked()).press("j", "j") },
	"answer-edit": func(t testing.TB, w, h int) *world {
		return newAnswering(t, w, h, editAsked()).press("PageDown")
	},
	"answer-changed": func(t testing.TB, w, h int) *world {
		wd := newAnswering(t, w, h, shellAsked())
		s := tenAgents()
		s.Panes[1].Status.Request.ID = "1-2"
		wd.Update(StateMsg{s})
		return wd
	},
	"launcher": func(t testing.TB, w, h int) *world { return newLauncher(t, w, h) },
	"resuming": func(t testing.TB, w, h int) *world {
		s := threePanes()
		s.Panes[0].Ended, s.Panes[0].Exit, s.Panes[0].Resumes, s.Panes[0].Agent = true, "exit 1", true, "robot"
		return newWorld(t, w, h, s, Settings{}).press("C-a", "R")
	},
	"form-tell": func(t testing.TB, w, h int) *world { return newForm(t, w, h, "t").press("'read docs/日本.md first") },
	"form-hand-off": func(t testing.TB, w, h int) *world {
		wd := newForm(t, w, h, "g").press("Down", "'go on with the parser", "Enter")
		wd.Update(SentMsg{Number: wd.forms, Problem: "can't write the task: no space left on device"})
		return wd
	},
	"form-spawn": func(t testing.TB, w, h int) *world { return newForm(t, w, h, "f").press("Down") },
	"tasks":      func(t testing.TB, w, h int) *world { return newTasks(t, w, h).press("Down") },
	"memory":     func(t testing.TB, w, h int) *world { return newMemory(t, w, h) },
	"memory-none": func(t testing.TB, w, h int) *world {
		wd := newAgents(t, w, h, Settings{}).press("C-a", "m")
		wd.Update(RecalledMsg{From: "p1"})
		return wd
	},
	"note": func(t testing.TB, w, h int) *world { return newNote(t, w, h) },
	"note-refused": func(t testing.TB, w, h int) *world {
		wd := newNote(t, w, h)
		wd.Update(InsertedMsg{ID: "N2", Nick: "cleo", Problem: "cleo shows no input line to type into"})
		return wd
	},
	"project": func(t testing.TB, w, h int) *world { return newProject(t, w, h).press("Down", "Down") },
	"others":  func(t testing.TB, w, h int) *world { return newOthers(t, w, h).press("C-a", "i") },
	"turn": func(t testing.TB, w, h int) *world {
		s := otherSession()
		for i := range s.Panes {
			s.Panes[i].Turn = noon.Add(-3 * time.Hour)
			s.Panes[i].Status.Meta = &lifecycle.Meta{Tokens: map[string]string{"context": strconv.Itoa(i * 10)}}
		}
		wd := newWorld(t, w, h, s, Settings{})
		wd.Update(ClockMsg{noon})
		return wd
	},
	"alert": func(t testing.TB, w, h int) *world {
		wd := newAgents(t, w, h, Settings{})
		wd.Update(AlertMsg{wd.state.Panes[1]})
		return wd
	},
	"ascii": func(t testing.TB, w, h int) *world {
		wd := newWorld(t, w, h, everyState(), Settings{NoColor: true, ASCII: true})
		wd.Update(FocusMsg{"p2"})
		return wd.press("C-a", ",")
	},
}

func TestScreens(t *testing.T) {
	t.Parallel()
	for name, build := range goldenScreens {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, size := range goldenSizes {
				w := build(t, size[0], size[1])
				c, cursor, title := w.draw()
				b.WriteString(render(c, cursor, title))
			}
			compare(t, filepath.Join("testdata", "screens", name+".golden"), b.String())
		})
	}
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Error(diff)
	}
}

// render writes a canvas as text, then the same cells as letters that stand
// for styles ("." is plain), then what the letters mean.
func render(c *screen.Canvas, cursor screen.Cursor, title string) string {
	var text, mask, legend strings.Builder
	letters := map[screen.StyleID]byte{0: '.'}
	for y := range c.H {
		var row, styles strings.Builder
		for _, cell := range c.Row(y) {
			row.WriteString(c.Table.Text(cell.Char))
			l, ok := letters[cell.Style]
			if !ok {
				l = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"[len(letters)-1]
				letters[cell.Style] = l
				fmt.Fprintf(&legend, "%c %s\n", l, describe(c.Table.Style(cell.Style)))
			}
			styles.WriteByte(l)
		}
		text.WriteString(strings.TrimRight(row.String(), " ") + "\n")
		mask.WriteString(strings.TrimRight(styles.String(), ".") + "\n")
	}
	at := "hidden"
	if cursor.Visible {
		at = fmt.Sprintf("%d,%d", cursor.X, cursor.Y)
	}
	return fmt.Sprintf("== %dx%d cursor %s title %q\n%s-- styles\n%s-- where\n%s", c.W, c.H, at, title, text.String(), mask.String(), legend.String())
}

func describe(s screen.Style) string {
	var parts []string
	for i, name := range []string{"bold", "faint", "italic", "blink", "rapid", "reverse", "hidden", "strike", "overline"} {
		if s.Attr&(1<<i) != 0 {
			parts = append(parts, name)
		}
	}
	if s.Underline != 0 {
		parts = append(parts, "underline")
	}
	if f := s.Fg.String(); f != "" {
		parts = append(parts, "fg "+f)
	}
	if b := s.Bg.String(); b != "" {
		parts = append(parts, "bg "+b)
	}
	return strings.Join(parts, " ")
}

// TestAClosedBoxLeavesNothing: only rows that changed are drawn, and those that
// a box covered.
func TestAClosedBoxLeavesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 80, 24, threePanes(), Settings{})
	before, _, _ := w.draw()
	w.press("C-a", "?")
	if covered, _, _ := w.draw(); slices.Equal(before.Cells, covered.Cells) {
		t.Fatal("no box")
	}
	w.over = nil
	if after, _, _ := w.draw(); !slices.Equal(after.Cells, w.frame.base.Cells) {
		t.Error("it is still there")
	}
}
