package paint

// Learn takes one raw reply of the terminal and reports whether it changed the
// profile.
func (p *Profile) Learn(reply []byte) bool {
	return false
}
