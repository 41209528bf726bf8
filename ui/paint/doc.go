// Package paint turns cells into what a terminal must be sent to show them. It
// exists because a frame drawn as text and measured, compared and flushed by a
// general renderer costs milliseconds and kilobytes where the change is one
// letter: here one goroutine holds a copy of what its terminal shows, writes
// the least bytes from that to the next canvas, and owns every mode it set on
// the way. It opens nothing and keeps no clock: bytes and times come and go as
// values.
package paint
