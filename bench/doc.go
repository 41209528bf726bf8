// Command bench measures deck beside tmux, as a person at a terminal would
// notice them: it is the terminal of an attached client, a real PTY that is
// read and that answers queries, and the programs in the panes are its own.
//
// It exists because absolute figures mean nothing on a machine that does other
// work: each measurement is made of both in turn, several times in one run, and
// what counts is the ratio. Both get panes of the same size (deck's terminal is
// larger by what surrounds its pane), the same history, and an attached client.
// Nothing of deck is imported: it is driven from outside, as tmux is.
//
//	go run ./bench -deck ./deck [-short] [-only echo,throughput]
package main
