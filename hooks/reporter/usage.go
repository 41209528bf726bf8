package reporter

import (
	"io"
	"os"

	"golang.org/x/sys/unix"

	"deck/hooks"
)

// withUsage adds what the end of the transcript tells of a turn that ended.
func withUsage(a hooks.Agent, o hooks.Outcome) hooks.Outcome {
	if !o.Ended || o.Transcript == "" || !a.ReadsTranscript() {
		return o
	}
	// The path is an agent's word: whatever else is there must not hold this up.
	f, err := os.OpenFile(o.Transcript, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return o
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return o
	}
	tail, err := io.ReadAll(io.NewSectionReader(f, max(info.Size()-hooks.TailSize, 0), hooks.TailSize))
	if err != nil {
		return o
	}
	return a.AddUsage(o, tail)
}
