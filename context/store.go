package memory

import (
	"log/slog"
	"time"
)

// MaxText is how many characters of a text are kept.
const MaxText = 8000

// Options say where a store is and what it needs from outside.
type Options struct {
	Dir string           // the data folder; made with mode 0700
	Now func() time.Time // nil: time.Now
	Log *slog.Logger     // nil: nothing is logged
	// Redact takes secrets out of a text before it is stored and names the rules that did.
	Redact func(text string) (clean string, rules []string)
	// Wait is how long Open waits for another process to let go of the folder; 0 means 2 s.
	Wait time.Duration
}

// Store is an open memory. All its methods may be called at the same time.
type Store struct {
	opt Options
}
