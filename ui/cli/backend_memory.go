package cli

import (
	"io"
	"time"

	"deck/term/server"
)

// offlineProjections reads what the server left in the checkout of a folder.
func offlineProjections(dir string) (map[string]string, time.Time, error) {
	o, err := server.Projections(dir)
	return o.Files, o.At, err
}

// redacted takes the secrets out of a text.
func redacted(r io.Reader) (string, []secret, error) {
	text, found, err := server.Redact(r)
	list := []secret{}
	for _, f := range found {
		list = append(list, secret(f))
	}
	return text, list, err
}
