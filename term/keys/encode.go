package keys

// Encode appends the bytes that a program with modes m gets for tok.
func Encode(dst []byte, tok Token, m Modes) []byte { return append(dst, tok.Raw...) }

// EncodeKey appends the bytes of one key.
func EncodeKey(dst []byte, k Key, m Modes) []byte { return dst }

// EncodeMouse appends the bytes of one mouse event.
func EncodeMouse(dst []byte, mo Mouse, m Modes) []byte { return dst }
