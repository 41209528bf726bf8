package paint

// arms are the weights of the four arms of a box-drawing character: 0 none,
// 1 light, 2 heavy.
type arms struct{ left, right, up, down uint8 }

// boxRunes has the character of every combination of arms, in base 3.
const boxRunes = " ╷╻╵│╽╹╿┃╶┌┎└├┟┖┞┠╺┍┏┕┝┢┗┡┣" +
	"╴┐┒┘┤┧┚┦┨─┬┰┴┼╁┸╀╂╼┮┲┶┾╆┺╄╊" +
	"╸┑┓┙┥┪┛┩┫╾┭┱┵┽╅┹╃╉━┯┳┷┿╈┻╇╋"

// armsOf are the arms of every character that has some.
var armsOf = map[rune]arms{'╭': {right: 1, down: 1}, '╮': {left: 1, down: 1},
	'╰': {right: 1, up: 1}, '╯': {left: 1, up: 1}}

func init() {
	i := uint8(0)
	for _, r := range boxRunes {
		armsOf[r] = arms{left: i / 27, right: i / 9 % 3, up: i / 3 % 3, down: i % 3}
		i++
	}
	delete(armsOf, ' ')
}
