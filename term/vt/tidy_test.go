package vt

import (
	"fmt"
	"testing"

	"deck/term/screen"
)

// A reader of the whole history takes no more of the table than the screen and
// what it reads at a time.
func TestTidyBoundsWhatReadingTheHistoryTakes(t *testing.T) {
	t.Parallel()
	e := New(100, 10, Options{History: 1000})
	for i := range 100 * 1000 {
		e.Write(fmt.Appendf(nil, "\x1b[38;2;%d;%d;%dm%c%c%c", i>>16, i>>8&255, i&255, 'a'+i%26, 0x300+i/26%100, 0x300+i/2600%100))
	}
	most := 0
	var row []screen.Cell
	for i := range e.HistoryLen() {
		e.Tidy()
		row, _ = e.HistoryRow(i, row)
		styles, clusters, _ := e.Table().Len()
		most = max(most, styles, clusters)
		if at := row[3]; e.Table().Style(at.Style).Fg == 0 || e.Table().Text(at.Char) == " " {
			t.Fatalf("row %d has lost its style or its text", i)
		}
	}
	if limit := 2*sweepMin + 100; e.HistoryLen() < 900 || most > limit {
		t.Errorf("%d entries for %d rows, want %d at most", most, e.HistoryLen(), limit)
	}
}
