package term

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A history is compressed once its program is quiet, and reads as before.
func TestAQuietHistoryIsCompressed(t *testing.T) {
	t.Parallel()
	p := sh(t, `i=0; while [ $i -lt 3000 ]; do echo "row $i of many"; i=$((i+1)); done; exec cat`, func(s *Spec) { s.History = 5000 })
	until(t, p, "the rows", shows("row 2999 of many"))
	compressible := func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.em.Compressible()
	}
	text := func() string {
		var b strings.Builder
		for _, l := range p.Text(0, 4000) {
			b.WriteString(l.Text + "\n")
		}
		return b.String()
	}
	before := text()
	if !strings.HasPrefix(before, "row 0 of many\nrow 1 ") || !compressible() {
		t.Fatalf("the history begins %.40q", before)
	}
	p.cool() // the timer began when there was less to see
	if !compressible() {
		t.Error("compressed while the program was writing")
	}
	p.cool()
	if compressible() {
		t.Error("not compressed although it was quiet")
	}
	if d := cmp.Diff(before, text()); d != "" {
		t.Error(d)
	}
}
