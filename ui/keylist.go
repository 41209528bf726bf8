package ui

// KeyLine is one line of the list of keys: the keys after the prefix key that
// do something, as they are named, and what they do.
type KeyLine struct{ Keys, Help, Group string }

// KeyLines returns the default keys in the order in which they are shown.
func KeyLines() []KeyLine {
	b, _ := bind(Settings{})
	entries := b.entries()
	lines := make([]KeyLine, 0, len(entries))
	for _, e := range entries {
		lines = append(lines, KeyLine{e.keys, e.help, e.group})
	}
	return lines
}
