package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

func itoa(n int) string { return strconv.Itoa(n) }

// filled returns the memory of a server whose panes have full histories, once
// it has come to rest.
func (b *bench) filled(m mux, kind string, panes, lines int) (float64, error) {
	file := filepath.Join(b.dir, "fill-"+kind)
	if err := b.writeFill(file, kind, lines+b.rows+200); err != nil {
		return 0, err
	}
	t, err := m.start(b.cols, b.rows, lines, b.pane("idle"))
	if err != nil {
		return 0, err
	}
	defer t.close()
	if err := t.wait(startLimit); err != nil {
		return 0, err
	}
	done := filepath.Join(b.dir, "done-"+m.name()+"-"+kind)
	for i := range panes {
		script := fmt.Sprintf("cat %s; : > %s-%d; exec sleep 100000", file, done, i)
		if err := m.tab([]string{"sh", "-c", script}); err != nil {
			return 0, err
		}
	}
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if names, _ := filepath.Glob(done + "-*"); len(names) == panes {
			break
		}
		if time.Now().After(end) {
			return 0, fmt.Errorf("the panes are not filled in time")
		}
	}
	pid, err := m.serverPID()
	if err != nil {
		return 0, err
	}
	// What is not needed any more is given back a little later.
	time.Sleep(b.span(time.Second, 10, 2))
	return memoryOf(pid)
}

func (b *bench) writeFill(name, kind string, lines int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	for i := range lines {
		if _, err := w.WriteString(fillLine(kind, i, b.cols)); err != nil {
			return err
		}
	}
	return w.Flush()
}
