package hooks

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzSettings: whatever a file holds, either nothing is done, or install and
// uninstall are each other's opposite and a second install does nothing.
func FuzzSettings(f *testing.F) {
	for name, file := range samples(f) {
		f.Add(file, strings.HasSuffix(name, ".toml"), strings.Contains(name, "flat"))
	}
	f.Add([]byte("{\"a\": 1 /* x\n y */}"), false, false)
	f.Add([]byte("{\"hooks\":{\"Stop\":[1, /*c*/ ]}}"), false, false)
	f.Add([]byte("{ }\r\n//x\n"), false, false)
	f.Add([]byte("[[hooks.Stop]]\nhooks=[]\nmatcher=''"), true, false)
	f.Fuzz(func(t *testing.T, file []byte, isTOML, flat bool) {
		name := "a.json"
		if flat {
			name = "flat.json"
		}
		if isTOML {
			name = "a.toml"
		}
		s := testEditor(name, threeEntries)
		if v, err := s.version(file); v > 0 || err != nil {
			return // deck's entries are in it already, or it is refused
		}
		once, err := s.install(file)
		if err != nil {
			return
		}
		if twice, err := s.install(once); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("install twice of %q: %v\n%q\n%q", file, err, once, twice)
		}
		if back, err := s.uninstall(once); err != nil || back == nil || !bytes.Equal(back, file) {
			t.Fatalf("uninstall of %q: %v\n%q\n%q", file, err, once, back)
		}
	})
}
