package main

import (
	"slices"
	"time"
)

// sample is what was measured several times.
type sample []float64

// at returns the value below which a share of the others lies.
func (s sample) at(share float64) float64 {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

func (s sample) median() float64 { return s.at(0.5) }

// samples are by the name of what was measured.
type samples map[string]sample

func (s samples) add(name string, v float64) { s[name] = append(s[name], v) }

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
