// Package term runs one program in one pane: a PTY, an emulator behind a lock,
// a goroutine that reads and one that writes. It exists so that everything
// that can stall or go wrong between deck and a program ends here: whoever
// asks something of a Pane gets an answer without waiting for the program.
package term
