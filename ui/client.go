package ui

import "deck/term/keys"

// Token is a piece of what a client's terminal sent, as Host.Input gets it.
type Token = keys.Token
