package server

import (
	"net/http"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"deck/hooks"
	"deck/lifecycle"
)

// outside reports whether a report is the word of an agent's hook that the
// pane's agent did not run.
func outside(r *http.Request, report lifecycle.Report) bool {
	p, _ := r.Context().Value(peerKey).(peer)
	return strings.HasPrefix(report.Source, "integration:") && p.err == nil && outsider(p.pid)
}

// outsider reports whether a process was started by an agent that runs within
// another one, as a tool of it, or by one that serves the agents of all panes.
// Of a process that is not seen, in a container perhaps, it is not known, and
// the token counts.
func outsider(pid int) bool {
	inner, between := 0, false
	for range maxAncestry {
		if pid = parentOf(pid); pid <= 1 || pid == os.Getpid() {
			return false
		}
		p, ok := readProcess(pid)
		group, _ := unix.Getpgid(pid)
		switch {
		case !ok:
			return false
		case hooks.Shared(p.argv):
			return true
		case hooks.Recognize(p.comm, p.argv) == "":
			between = inner != 0
		case between || inner != 0 && inner != group:
			return true
		default:
			inner = group // a launcher has the group and the name of what it starts
		}
	}
	return false
}
