package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// options are what a run is told.
type options struct {
	deck    string
	out     string
	only    string
	short   bool
	lifting bool
	rounds  int
	cols    int // of the first pane
	rows    int
}

// measurement is one kind of measuring; it adds its rows to a report.
type measurement struct {
	name string
	run  func(*bench) error
}

// measurements are in the order in which they are made: those that a busy
// machine disturbs most come first.
var measurements = []measurement{
	{"echo", (*bench).echo},
	{"slow", (*bench).slowLink},
	{"throughput", (*bench).throughput},
	{"bytes", (*bench).byteCounts},
	{"reflow", (*bench).reflow},
	{"start", (*bench).startUp},
	{"animated", (*bench).animated},
	{"idle", (*bench).idle},
	{"memory", (*bench).memory},
}

// bench is one run.
type bench struct {
	options
	muxes  []mux
	dir    string // removed at the end
	self   string // this program, which is what runs in panes
	report report
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == "pane" {
		paneProgram(os.Args[2], os.Args[3:])
		return
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	b := &bench{}
	flag.StringVar(&b.deck, "deck", "./deck", "the `binary` to measure")
	flag.StringVar(&b.out, "out", "bench/out", "the `folder` that gets the table")
	flag.StringVar(&b.only, "only", "", "these `measurements`, separated by commas")
	flag.BoolVar(&b.short, "short", false, "less of everything: under two minutes")
	flag.BoolVar(&b.lifting, "lift", false, "have the scheduler prefer what is measured (Linux, root)")
	flag.IntVar(&b.rounds, "rounds", 3, "how `often` each is measured")
	flag.IntVar(&b.cols, "cols", 200, "`columns` of a pane")
	flag.IntVar(&b.rows, "rows", 50, "`rows` of a pane")
	flag.Parse()
	if b.short {
		b.rounds = 1
	}
	if err := b.prepare(); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-stop
		for _, m := range b.muxes {
			m.stop()
		}
		os.RemoveAll(b.dir)
		os.Exit(1)
	}()
	for _, m := range measurements {
		if b.only != "" && !slices.Contains(strings.Split(b.only, ","), m.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, m.name, "…")
		if err := m.run(b); err != nil {
			// The others may still be worth having.
			b.report.fail(m.name, err)
		}
	}
	return b.report.write(b.out)
}

// prepare finds the programs and the size of what surrounds deck's pane.
func (b *bench) prepare() (err error) {
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	if b.deck, err = filepath.Abs(b.deck); err != nil {
		return err
	}
	if _, err := os.Stat(b.deck); err != nil {
		return fmt.Errorf("no deck to measure: %w", err)
	}
	if b.dir, err = os.MkdirTemp("", "deckbench"); err != nil {
		return err
	}
	if path, err := exec.LookPath("tmux"); err == nil {
		b.muxes = append(b.muxes, &tmux{path: path, dir: b.dir})
	} else {
		b.report.note("tmux is not installed: there is nothing to compare deck with, only deck's own figures.")
	}
	d := &deck{path: b.deck, dir: b.dir}
	b.muxes = append(b.muxes, d)
	if d.chromeCols, d.chromeRows, err = d.measureChrome(b); err != nil {
		return fmt.Errorf("deck does not start: %w", err)
	}
	b.report.begin(b)
	return nil
}

// pane is the command line of a program for a pane.
func (b *bench) pane(kind string, args ...string) []string {
	return append([]string{b.self, "pane", kind}, args...)
}

// each runs f for every multiplexer, rounds times, the first one in turn, each
// time with a server of its own.
func (b *bench) each(rounds int, f func(m mux) error) error {
	for r := range rounds {
		for i := range b.muxes {
			m := b.muxes[(i+r)%len(b.muxes)]
			err := f(m)
			m.stop()
			if err != nil {
				return fmt.Errorf("%s: %w", m.name(), err)
			}
		}
	}
	return nil
}

// less returns n, or short in a short run.
func less[T any](b *bench, n, short T) T {
	if b.short {
		return short
	}
	return n
}

// span is less of a time.
func (b *bench) span(unit time.Duration, n, short int) time.Duration {
	return unit * time.Duration(less(b, n, short))
}
