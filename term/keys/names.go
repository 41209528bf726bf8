package keys

import "fmt"

// Parse reads a key's name.
func Parse(name string) (Key, error) { return Key{}, fmt.Errorf("unknown key: %s", name) }

// String is the key's name.
func (k Key) String() string { return "" }

// Is says whether k is the key that name says.
func (k Key) Is(name Key) bool { return k == name }

// Keys gives the keys of a token.
func (t Token) Keys() []Key { return nil }
