package realtest

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"
)

// row is what came of one scenario of one agent.
type row struct {
	agent, scenario, outcome string
	delays                   []delay
	note                     string
}

// delay is how much later than the truth deck said something.
type delay struct {
	what string
	d    time.Duration
}

var table struct {
	sync.Mutex
	rows []row
}

func file(r row) {
	table.Lock()
	defer table.Unlock()
	table.rows = append(table.rows, r)
}

func TestMain(m *testing.M) {
	code := m.Run()
	if len(table.rows) > 0 {
		print(os.Stdout)
	}
	os.Exit(code)
}

// print writes the table, and the worst delays of those that count.
func print(w io.Writer) {
	order := func(name string) int {
		return slices.IndexFunc(programs, func(p program) bool { return p.name == name })
	}
	slices.SortStableFunc(table.rows, func(a, b row) int { return order(a.agent) - order(b.agent) })
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "AGENT\tSCENARIO\tOUTCOME\tDELAYS IN SECONDS")
	worst := map[string]map[string]time.Duration{}
	for _, r := range table.rows {
		words := make([]string, 0, len(r.delays))
		for _, d := range r.delays {
			words = append(words, fmt.Sprintf("%s %.2f", d.what, d.d.Seconds()))
			if worst[r.agent] == nil {
				worst[r.agent] = map[string]time.Duration{}
			}
			if old, ok := worst[r.agent][d.what]; !ok || d.d > old {
				worst[r.agent][d.what] = d.d
			}
		}
		if r.note != "" {
			words = append(words, r.note)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.agent, r.scenario, r.outcome, strings.Join(words, ", "))
	}
	fmt.Fprintln(t, "\nAGENT\tAPPROVED→WORKING\tSTOPPED→IDLE\tDIALOG→NEEDS-INPUT\tANSWER→DONE")
	for _, p := range programs {
		if of := worst[p.name]; of != nil {
			cell := func(what string) string {
				if d, ok := of[what]; ok {
					return fmt.Sprintf("%.2f", d.Seconds())
				}
				return "-"
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", p.name, cell(approved), cell(stopped), cell(asks), cell(ended))
		}
	}
	_ = t.Flush()
}
