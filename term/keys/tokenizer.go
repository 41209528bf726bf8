package keys

import "time"

// Tokenizer cuts a terminal's bytes into tokens.
type Tokenizer struct{}

// Feed takes the next bytes.
func (t *Tokenizer) Feed(p []byte) []Token { return nil }

// Pending is how long to wait before Flush, 0 if nothing ambiguous is held.
func (t *Tokenizer) Pending() time.Duration { return 0 }

// Flush gives what is held and ambiguous as keys.
func (t *Tokenizer) Flush() []Token { return nil }
