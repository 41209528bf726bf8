package server

import (
	"runtime/debug"
	"runtime/metrics"
)

// collector is the garbage collector, as far as procs drive it. Its calls come
// one at a time, a pause before each resume.
type collector interface {
	collect() // now, and give memory back
	pause()   // none but where memory runs out
	resume()
}

// spare is how much may be allocated during a pause until there is a collection
// after all.
const spare = 64 << 20

// runtimeCollector is that of this process.
type runtimeCollector struct {
	percent int   // as before the pause
	limit   int64 // the same
}

func (c *runtimeCollector) collect() { debug.FreeOSMemory() }

func (c *runtimeCollector) pause() {
	c.percent = debug.SetGCPercent(-1)
	c.limit = debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(c.limit, memoryInUse()+spare))
}

func (c *runtimeCollector) resume() {
	debug.SetMemoryLimit(c.limit)
	debug.SetGCPercent(c.percent)
}

// memoryInUse is what a memory limit is held against.
func memoryInUse() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}
