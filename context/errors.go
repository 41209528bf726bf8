package memory

import "errors"

// What a caller can test for. Errors wrap these with the name of the thing.
var (
	// ErrInUse says that another process holds the data folder.
	ErrInUse = errors.New("memory is in use by another process")
	// ErrDamaged says that the store cannot be read; the message names where
	// the damaged file was put and which backup can take its place.
	ErrDamaged = errors.New("memory is damaged")
	// ErrNewer says that the data were written by a newer deck.
	ErrNewer = errors.New("memory was written by a newer deck")
	// ErrUnavailable says that the storage failed: disk full, folder read-only, store closed.
	ErrUnavailable = errors.New("memory is unavailable")
	// ErrEmpty says that there is no text to store.
	ErrEmpty = errors.New("nothing to remember: the text is empty")
	// ErrNotFound says that nothing has that id or name.
	ErrNotFound = errors.New("not found")
	// ErrAmbiguous says that more than one thing has an id that begins so.
	ErrAmbiguous = errors.New("more than one match")
	// ErrForeign says that what is imported is not an export of deck, or
	// one of a newer deck.
	ErrForeign = errors.New("not an export this deck can read")
	// ErrInvalid says that a value is none of those allowed.
	ErrInvalid = errors.New("invalid value")
)
