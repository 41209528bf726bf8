// Package hooks knows the agent programs: how each is recognised, started,
// watched and taught. It exists so that their names and words occur here and
// nowhere else in deck.
package hooks
