package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
)

// ownFile is a file that is deck's as a whole, such as a plugin. Its first line
// says so, with the version mark.
type ownFile struct {
	agent  string
	source []byte
}

// ownLine is the first line of such a file, a comment in JavaScript.
var ownLine = regexp.MustCompile(`^// deck hooks ([1-9][0-9]{0,5}): "deck hooks uninstall [a-z-]+" removes this file\r?\n`)

func (s ownFile) install(file []byte) ([]byte, error) {
	if v, _ := s.version(file); v == 0 && file != nil {
		return nil, errors.New("deck did not write it")
	}
	now := fmt.Appendf(nil, "// deck hooks %d: \"deck hooks uninstall %s\" removes this file\n%s", settingsVersion, s.agent, s.source)
	if bytes.Equal(now, file) {
		return file, nil
	}
	return now, nil
}

func (s ownFile) uninstall(file []byte) ([]byte, error) {
	if v, _ := s.version(file); v == 0 {
		return file, nil
	}
	return nil, nil
}

func (ownFile) version(file []byte) (int, error) {
	m := ownLine.FindSubmatch(file)
	if m == nil {
		return 0, nil
	}
	return strconv.Atoi(string(m[1]))
}
