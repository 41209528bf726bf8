package detect

import "path"

// Source returns the text of an agent's built-in rules.
func Source(agent string) ([]byte, bool) {
	text, err := files.ReadFile(path.Join("rules", agent+".toml"))
	return text, err == nil
}
