package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"
)

// row is a line of the table.
type row struct {
	what, unit string
	tmux, deck float64
	most       float64 // that deck/tmux may be, 0 for no promise
	limit      float64 // that deck may be, 0 for no promise
	noise      float64 // that deck may be above without a meaning: a step of the clock
}

// report gathers rows in the order in which they are measured.
type report struct {
	head  []string
	rows  []row
	notes []string
}

func (r *report) begin(b *bench) {
	version, _ := command(b.dir, b.deck, "version")
	names := []string{version}
	for _, m := range b.muxes {
		if t, ok := m.(*tmux); ok {
			v, _ := command(b.dir, t.path, "-V")
			names = append(names, v)
		}
	}
	load, _ := os.ReadFile("/proc/loadavg")
	r.head = append(r.head, fmt.Sprintf("%s; %s; panes of %d×%d; %d processors, load %.14s; %d rounds",
		time.Now().UTC().Format("2006-01-02 15:04"), strings.Join(names, ", "), b.cols, b.rows, runtime.NumCPU(), load, b.rounds))
}

// add puts a row in, and shows it at once.
func (r *report) add(x row) {
	r.rows = append(r.rows, x)
	fmt.Fprintln(os.Stderr, "  "+strings.Join(x.cells(), "  "))
}

// compare adds the medians of two samples.
func (r *report) compare(x row, s samples) {
	x.tmux, x.deck = s["tmux"].median(), s["deck"].median()
	r.add(x)
}

func (r *report) note(format string, args ...any) {
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

func (r *report) fail(name string, err error) {
	fmt.Fprintln(os.Stderr, "  ", err)
	r.note("%s was not measured to its end: %v", name, err)
}

// cells are a row's columns.
func (x row) cells() []string {
	ratio, promise := "", ""
	if x.tmux > 0 {
		ratio = fmt.Sprintf("%.2f", x.deck/x.tmux)
	}
	if x.most > 0 {
		promise = fmt.Sprintf("≤ %.2f", x.most)
	}
	if x.limit > 0 {
		promise = strings.TrimSpace(fmt.Sprintf("%s ≤ %s %s", promise, figure(x.limit), x.unit))
	}
	return []string{x.what, x.unit, figure(x.tmux), figure(x.deck), ratio, promise, x.verdict()}
}

// verdict says whether deck keeps its promise.
func (x row) verdict() string {
	switch {
	case x.most == 0 && x.limit == 0:
		return ""
	case x.most > 0 && x.tmux > 0 && x.deck > x.most*x.tmux+x.noise, x.limit > 0 && x.deck > x.limit:
		return "NO"
	case x.tmux == 0 && x.limit == 0 && (x.noise == 0 || x.deck > x.noise):
		return "?"
	}
	return "yes"
}

func figure(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// write prints the table and leaves it in a folder.
func (r *report) write(dir string) error {
	var s strings.Builder
	for _, h := range r.head {
		fmt.Fprintln(&s, h)
	}
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\nwhat\tunit\ttmux\tdeck\tdeck/tmux\tpromise\tkept")
	for _, x := range r.rows {
		fmt.Fprintln(w, strings.Join(x.cells(), "\t"))
	}
	w.Flush()
	for _, n := range r.notes {
		fmt.Fprintln(&s, "\n"+n)
	}
	fmt.Print(s.String())
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "table.txt"), []byte(s.String()), 0o644)
}
