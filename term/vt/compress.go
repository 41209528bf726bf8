package vt

import (
	"bytes"
	"compress/flate"
	"io"
	"sync"
)

// warmBlocks is how many of the newest blocks stay as they are: a person who
// scrolls back looks there, and a screen that grows takes rows back from them.
const warmBlocks = 8

// Compressible reports whether Compress has something to do.
func (e *Emulator) Compressible() bool { return e.history.compressible() }

// Compress makes one more block of rows of the history, far above the screen,
// as small as it gets, to a quarter where it is plain text. It takes a fraction
// of a millisecond, which is much beside what packing the rows took, so it is
// for the owner to call once a program is quiet. Readers notice nothing.
func (e *Emulator) Compress() {
	if e.history.compressible() {
		e.history.compress()
	}
}

func (h *history) compressible() bool { return h.cold < len(h.blocks)-warmBlocks }

// compress looks at the oldest block that was not looked at before. One with
// wide characters must stay readable, since only its text tells how it wraps.
func (h *history) compress() {
	b := h.blocks[h.cold]
	h.cold++
	h.warm = warmBlock{}
	if b.small != nil {
		return
	}
	for _, r := range b.rows {
		if r.flags&rowWide != 0 {
			return
		}
	}
	small := deflate(b.data)
	if len(small) > len(b.data)-len(b.data)/4 {
		return
	}
	h.bytes -= len(b.data) - len(small)
	b.data, b.small, b.whole = nil, small, len(b.data)
}

// text returns the packed rows of a block, which are valid until the next call.
func (h *history) text(b *block) []byte {
	if b.small == nil {
		return b.data
	}
	if h.warm.block != b {
		h.warm.block = b
		h.warm.data = inflate(h.warm.data, b)
	}
	return h.warm.data
}

// warmBlock is the compressed block that was read last.
type warmBlock struct {
	block *block
	data  []byte
}

// The compressors are big and seldom needed; all histories share them.
var (
	deflaters = sync.Pool{New: func() any {
		w, err := flate.NewWriter(nil, flate.BestSpeed)
		if err != nil {
			panic("bug: " + err.Error())
		}
		return w
	}}
	inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}
)

func deflate(data []byte) []byte {
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	var b bytes.Buffer
	w.Reset(&b)
	_, err := w.Write(data)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic("bug: " + err.Error())
	}
	return bytes.Clone(b.Bytes())
}

// inflate returns a block's rows in the memory of buf where they fit.
func inflate(buf []byte, b *block) []byte {
	r := inflaters.Get().(io.ReadCloser)
	defer inflaters.Put(r)
	if cap(buf) < b.whole {
		buf = make([]byte, b.whole)
	}
	buf = buf[:b.whole]
	err := r.(flate.Resetter).Reset(bytes.NewReader(b.small), nil)
	if err == nil {
		_, err = io.ReadFull(r, buf)
	}
	if err != nil {
		panic("bug: " + err.Error())
	}
	return buf
}
