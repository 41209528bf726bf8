package ui

import "deck/term/keys"

// Token is a piece of what a client's terminal sent, as Host.Input gets it.
type Token = keys.Token

// CheckKey says what is wrong with the name of a key, nil where nothing is.
func CheckKey(name string) error {
	_, err := keys.Parse(name)
	return err
}
