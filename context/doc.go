// Package memory is what a project should remember between sessions: facts,
// discoveries and decisions with the files they come from, tasks, events,
// relations and hand-offs. One bbolt file is the truth; a bleve index beside it
// is a cache that says how much of the truth it holds and is built anew whenever
// it is missing, broken or foreign. Nothing leaves the machine, and nothing is
// stored before secrets are taken out of it.
package memory
