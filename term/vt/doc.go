// Package vt is deck's terminal emulator: it takes the bytes a program writes
// and keeps the screen, the history, the modes and the answers that a terminal
// would have. It exists because deck must know, cell by cell, what every
// program shows while nobody is looking, at a speed that a program cannot
// notice.
//
// The bytes go through a parser that knows the shape of escape sequences and
// nothing of their meaning; tables lead from each sequence to the method that
// carries it out; methods edit a grid of eight-byte cells whose rows lie in a
// ring, so that scrolling moves no cells. Rows that leave the main screen are
// packed into a history. What the emulator wants to tell the program (replies)
// or its owner (events) it keeps until asked.
//
// Nothing here locks, starts goroutines, reads a clock or does I/O: the owner
// of an Emulator does. The same bytes give the same screen however they are
// cut into writes, and no byte sequence makes an Emulator panic, hang or grow
// without bound.
package vt
