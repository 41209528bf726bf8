package paint

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestPacer runs scripts of one event a word at virtual times: d a change,
// i an input, wN a write of N bytes accepted (with Stamp before), aN answers,
// nothing only asks. Each must lead to "draw", "never", or a wait in ms.
func TestPacer(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, script, want string }{
		{"at once after quiet", "0:d", "draw"},
		{"nothing to draw", "0:i", "never"},
		{"every 16 ms", "0:d 1:w100 2:d 18:-", "draw never 14 draw"},
		{"one frame in flight", "0:d 1:d 40:d 41:w100", "draw never never draw"},
		{"one early frame for an input", "0:d 1:w10 2:i 3:d 4:w10 5:d", "draw never never draw never 14"},
		{"what changed before an input waits", "0:d 1:w10 2:d 3:i", "draw never 14 13"},
		{"a late echo is early", "0:d 1:w9 100:i 150:d 151:w9 152:i 153:d", "draw never never draw never never draw"},
		{"credit", "0:A 0:d 1:w9000 20:d 60:a1", "never draw never 2981 draw"},
		{"credit of many frames", "0:d 1:w2100 20:d 21:w2100 22:a1 40:d 41:w2100 60:d 61:w2100 80:d 81:w2100 100:d 110:a1",
			"draw never draw never never draw never draw never draw never 2922 draw"},
		{"small frames need no answer", "0:A 0:d 1:w2000 20:d", "never draw never draw"},
		{"a terminal that never answers", "0:d 1:w9000 20:d 21:w9000 40:d", "draw never draw never draw"},
		{"a lost answer", "0:A 0:d 1:w9000 20:d 3001:- 3002:w9000 3020:d", "never draw never 2981 draw never draw"},
		{"input waits for credit too", "0:A 0:d 1:w9000 20:i 20:d", "never draw never never 2981"},
		{"another terminal that never answers", "0:d 1:w9000 2:a99 20:d 21:w9000 40:d", "draw never never draw never draw"},
		{"answers nobody waits for", "0:a3 1:d", "never draw"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var p Pacer
			start := time.Unix(1000, 0)
			var got []string
			for word := range strings.FieldsSeq(tt.script) {
				var ms, n int
				var what string
				fmt.Sscanf(word, "%d:%s", &ms, &what)
				fmt.Sscanf(what[1:], "%d", &n)
				now := start.Add(time.Duration(ms) * time.Millisecond)
				switch what[0] {
				case 'd':
					p.Dirty(now)
				case 'i':
					p.Input(now)
				case 'w':
					p.Wrote(now, len(p.Stamp(make([]byte, n))))
				case 'A': // it has answered before
					p.answers = true
				case 'a':
					p.Acked(now, n)
				}
				wait, draw := p.Next(now)
				switch {
				case draw:
					got = append(got, "draw")
				case wait == Forever:
					got = append(got, "never")
				default:
					got = append(got, fmt.Sprint(wait.Milliseconds()))
				}
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPacerAsksEvery2KB(t *testing.T) {
	t.Parallel()
	var p Pacer
	asked := 0
	for range 30 {
		if f := p.Stamp(make([]byte, 1000)); strings.HasSuffix(string(f), StatusRequest) {
			asked++
			p.Acked(time.Time{}, 1)
		}
	}
	if asked != 10 || p.Ahead() != 0 {
		t.Errorf("asked %d times, %d ahead", asked, p.Ahead())
	}
	p.Mute = true
	if f := p.Stamp(make([]byte, 5000)); len(f) != 5000 || p.Ahead() != 0 {
		t.Errorf("a mute terminal was asked")
	}
}

// TestPacerTrustsATrickle: what even a modem carries is not asked about, and
// what is faster is, if less often.
func TestPacerTrustsATrickle(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ size, every, seconds, want int }{
		{1, 25, 600, 0},
		{40, 100, 600, 0},
		{100, 50, 60, 44},
		{3000, 50, 10, 200},
	} {
		var p Pacer
		now, asked := time.Unix(1000, 0), 0
		for range tt.seconds * 1000 / tt.every {
			p.Dirty(now)
			if _, draw := p.Next(now); !draw {
				t.Fatalf("%+v: no frame", tt)
			}
			frame := p.Stamp(make([]byte, tt.size))
			p.Wrote(now, len(frame))
			if len(frame) > tt.size {
				asked++
				p.Acked(now, 1)
			}
			now = now.Add(time.Duration(tt.every) * time.Millisecond)
		}
		if asked != tt.want {
			t.Errorf("%d bytes every %d ms: asked %d times in %d s, want %d", tt.size, tt.every, asked, tt.seconds, tt.want)
		}
	}
}

func TestIsStatusReply(t *testing.T) {
	t.Parallel()
	if !IsStatusReply([]byte("\x1b[0n")) || IsStatusReply([]byte("\x1b[1;1R")) {
		t.Error("wrong")
	}
}
