package server

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// nickNames are first names, short and easily typed, of many places.
var nickNames = strings.Fields(`
abel ada adil agnes aiko aila aino akira alba alma amal amara amina amit anders anika anna anouk anton anya
arash arda ari arlo arno arun asa asha asta astrid aya ayla ayo azra basil bea bela ben bilal birgit boris
bram bruno caleb camila carl cem chidi chloe ciro clara cleo coen dalia damir dara daria dario davi deniz
diego dilan dina dmitri dora ebba eda edda edith efe einar ela elif elio elsa emeka emi emil emre enzo eric
esme esra eva ewa fadi farah felix femi fenna filip finn flora franz freya gael gaia galia georg gia gil gita
greta guido gwen hana hans haru hassan hedda heidi helga henri hugo hye ian ida idris igor ilan ilse imani
ines ingrid inti ira iris isa isla ivan ivo iwan jae jai jana jari jens jin joana jonas jordi jose juan jude
juna kai kamal karim kaya keiko kemal kenji kira klara kofi kojo kumar kyra laila lara lars layla lea leif
lena leo levi lian lila lina ling linus liv livia lou luca lucy ludo luis luna lupe mads maia mara marek mari
marta matti maya mei mika milan mila milo mina mio mira miro mona mateo nadia naim naomi nara nasir neel nia
nico nils nina niko noa nora noor nuri oda olaf ole olga omar ona orla osk otis otto paco pavel pedro petra
pia pilar piotr priya quinn rafa rahul rana raul ravi remy rena rhea rika rio rita rohan romy rosa ruben rui
runa ruth ryo saba sade sam sami sana sara sasha selma sena shira siri sofia sol sora sven taha tamar tao
tara taro tess theo tilda timo tomas tova tuva uma umut una uri ursa vera vida vigo viktor vito wanda wei
willa xavi xena yael yara yoko yuki yuna yusuf zain zara zeno zia zoe zola zuri`)

// nickBook gives out nicks. A nick that was given back is the last to be given
// out again, so that yesterday's name does not mean another pane today.
type nickBook struct {
	used   map[string]bool
	queue  []string
	serial int
}

// take returns a nick that no pane has and that taken does not claim.
func (b *nickBook) take(taken func(string) bool) string {
	if b.used == nil {
		b.used = map[string]bool{}
		b.queue = append(b.queue, nickNames...)
		rand.Shuffle(len(b.queue), func(i, j int) { b.queue[i], b.queue[j] = b.queue[j], b.queue[i] })
	}
	for i, n := range b.queue {
		if !b.used[n] && !taken(n) {
			b.queue = append(b.queue[:i], b.queue[i+1:]...)
			b.used[n] = true
			return n
		}
	}
	for {
		b.serial++
		n := nickNames[b.serial%len(nickNames)] + strconv.Itoa(2+b.serial/len(nickNames))
		if !b.used[n] && !taken(n) {
			b.used[n] = true
			return n
		}
	}
}

// free gives a nick back.
func (b *nickBook) free(nick string) {
	if b.used[nick] {
		delete(b.used, nick)
		b.queue = append(b.queue, nick)
	}
}
