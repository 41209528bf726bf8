package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// idle measures what 20 panes cost in which nothing happens.
func (b *bench) idle() error {
	cpu, wakeups, calls := samples{}, samples{}, samples{}
	d := b.span(time.Second, 60, 4)
	err := b.each(1, func(m mux) error {
		return b.watch(m, b.pane("idle"), 20, b.span(time.Second, 8, 3), func(pids []int) error {
			u, err := usageOver(d, pids)
			if err != nil {
				return err
			}
			cpu.add(m.name(), u.cpu/d.Seconds())
			wakeups.add(m.name(), u.wakeups/d.Seconds())
			// A call that is waited in when strace comes is counted as one that
			// begins then: what a moment shows is not of the time.
			begun, err := systemCalls(time.Second, pids)
			if err != nil {
				return nil
			}
			n, err := systemCalls(d+time.Second, pids)
			if err == nil {
				calls.add(m.name(), float64(max(0, n-begun))/d.Seconds())
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	b.report.compare(row{what: "20 idle panes: wake-ups a second, server and client", unit: "", most: 1, noise: 0.1}, wakeups)
	b.report.compare(row{what: "20 idle panes: processor time a second", unit: "ms", most: 1, noise: 0.05}, cpu)
	if len(calls) > 0 {
		// Go's runtime looks around once a minute, whatever there is to do.
		b.report.compare(row{what: "20 idle panes: system calls a second (strace)", unit: "", most: 1, noise: 1}, calls)
	}
	return nil
}

// animated measures what 10 panes with a spinner cost, one of them in sight.
func (b *bench) animated() error {
	cpu := samples{}
	d := b.span(time.Second, 10, 3)
	err := b.each(b.rounds, func(m mux) error {
		return b.watch(m, b.pane("spinner"), 10, 2*time.Second, func(pids []int) error {
			u, err := usageOver(d, pids)
			cpu.add(m.name(), u.cpu/d.Seconds())
			return err
		})
	})
	if err != nil {
		return err
	}
	b.report.compare(row{what: "10 animated panes: processor time a second, server and client", unit: "ms", most: 1.1}, cpu)
	return nil
}

// watch calls f with the server and the client of n panes in as many tabs, after
// a while in which they come to rest.
func (b *bench) watch(m mux, argv []string, n int, rest time.Duration, f func(pids []int) error) error {
	t, err := m.start(b.cols, b.rows, 10000, argv)
	if err != nil {
		return err
	}
	defer t.close()
	if err := t.wait(startLimit); err != nil {
		return err
	}
	for range n - 1 {
		if err := m.tab(argv); err != nil {
			return err
		}
	}
	pid, err := m.serverPID()
	if err != nil {
		return err
	}
	b.lift(m, t)
	time.Sleep(rest)
	return f([]int{pid, t.cmd.Process.Pid})
}

// usageOver is what processes use during a time.
func usageOver(d time.Duration, pids []int) (usage, error) {
	before, err := usageOf(pids...)
	if err != nil {
		return usage{}, err
	}
	time.Sleep(d)
	after, err := usageOf(pids...)
	return usage{after.cpu - before.cpu, after.wakeups - before.wakeups}, err
}

// systemCalls counts what processes ask of the system during a time; an error
// where there is no strace.
func systemCalls(d time.Duration, pids []int) (int, error) {
	args := []string{"-c", "-f"}
	for _, p := range pids {
		args = append(args, "-p", strconv.Itoa(p))
	}
	c := exec.Command("strace", args...)
	var out bytes.Buffer
	c.Stderr = &out
	if err := c.Start(); err != nil {
		return 0, err
	}
	time.Sleep(d)
	_ = c.Process.Signal(syscall.SIGINT)
	_ = c.Wait()
	for _, line := range strings.Split(out.String(), "\n") {
		// "100.00  0.000123  4  31  2 total"
		f := strings.Fields(line)
		if n := len(f); n > 3 && f[n-1] == "total" {
			return strconv.Atoi(f[3])
		}
	}
	if !strings.Contains(out.String(), "attached") {
		return 0, fmt.Errorf("strace: %s", out.String())
	}
	return 0, nil
}

// memory measures the server with 100 panes whose histories are full.
func (b *bench) memory() error {
	panes, lines := less(b, 100, 10), 10000
	for _, k := range []struct {
		kind, what string
		most       float64
	}{{"log", "lines of a log", 0.5}, {"colour", "full-width colour", 1}} {
		size := samples{}
		err := b.each(1, func(m mux) error {
			mb, err := b.filled(m, k.kind, panes, lines)
			size.add(m.name(), mb)
			return err
		})
		if err != nil {
			return err
		}
		b.report.compare(row{what: fmt.Sprintf("memory of %d panes × %d lines, %s", panes, lines, k.what), unit: "MB", most: k.most}, size)
	}
	return nil
}
