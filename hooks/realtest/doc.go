// Package realtest runs the real agent programs in a real deck, against a model
// service of its own on loopback. It exists because what an agent does is only
// known from the agent. It has nothing but tests; they run where
// DECK_TEST_AGENTS names agents ("claude codex", or "all"), as make test-agents
// does, and need npm.
package realtest
