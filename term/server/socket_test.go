package server

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestSocketPathIsANameOrAPath(t *testing.T) {
	dir := privateDir(t)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	long := "/" + strings.Repeat("x", 200)
	for _, c := range []struct{ in, want, err string }{
		{"", dir + "/deck/default.sock", ""},
		{"work", dir + "/deck/work.sock", ""},
		{dir + "/s", dir + "/s", ""},
		{dir + "/a/../s", dir + "/s", ""},
		{"..", "", "not a name"},
		{"a\nb", "", "not a name"},
		{long, "", "is 201 bytes long and may have"},
	} {
		got, err := SocketPath(c.in)
		if got != c.want || !says(err, c.err) {
			t.Errorf("%q: got %q, %v; want %q, %q", c.in, got, err, c.want, c.err)
		}
	}
	t.Setenv("XDG_RUNTIME_DIR", filepath.Join(dir, "none"))
	if got, _ := SocketPath("x"); !strings.HasPrefix(got, "/tmp/deck-") {
		t.Errorf("without a runtime folder: %q", got)
	}
	deep := filepath.Join(dir, strings.Repeat("x", 150))
	if err := os.Mkdir(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", deep)
	if got, err := SocketPath("x"); got != "" || !says(err, "bytes long and may have") {
		t.Errorf("in a folder with a long name: %q, %v", got, err)
	}
}

// What a server makes is its user's alone, whatever the umask.
func TestTheSocketIsItsUsersAlone(t *testing.T) {
	defer unix.Umask(unix.Umask(0))
	dir := filepath.Join(privateDir(t), "deck")
	l, err := listen(t.Context(), Options{Socket: filepath.Join(dir, "s")})
	if err != nil {
		t.Fatal(err)
	}
	defer l.lock.release()
	defer l.close()
	for name, want := range map[string]os.FileMode{"": 0o700, "s": 0o600, "s.lock": 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != want || ownerOf(info) != os.Getuid() {
			t.Errorf("%q: %v, %v, want %v", name, info, err, want)
		}
	}
}

func TestFoldersThatOthersCouldUseAreRefused(t *testing.T) {
	dir := privateDir(t)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	make := func(name string, mode os.FileMode) string {
		p := filepath.Join(dir, name)
		if err := os.Mkdir(p, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(p, mode); err != nil {
			t.Fatal(err)
		}
		return p
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(make("target", 0o700), link); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ dir, err string }{
		{filepath.Join(dir, "fresh"), ""},
		{make("mine", 0o700), ""},
		{make("readable", 0o755), ""},
		{make("deck", 0o755), "open to others (mode 0755"},
		{make("group", 0o770), "others can write to the socket's folder (mode 0770)"},
		{make("world", 0o777), "others can write"},
		{link, "symbolic link"},
		{file, "not a folder"},
	} {
		if err := makeFolder(c.dir); !says(err, c.err) {
			t.Errorf("%s: got %v, want %q", c.dir, err, c.err)
		}
	}
	if os.Getuid() == 0 {
		foreign := make("foreign", 0o700)
		if err := os.Chown(foreign, 12345, -1); err != nil {
			t.Fatal(err)
		}
		if err := makeFolder(foreign); !says(err, "another user (uid 12345)") {
			t.Errorf("foreign: %v", err)
		}
	}
}

func TestProbeSaysWhatIsThere(t *testing.T) {
	dir := privateDir(t)
	stale := filepath.Join(dir, "stale")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		want State
		err  string
	}{
		{filepath.Join(dir, "none"), Missing, ""},
		{filepath.Join(dir, "no", "folder"), Missing, ""},
		{stale, Missing, ""},
		{file, Refused, "not a socket"},
	} {
		got, _, err := Probe(t.Context(), c.path)
		if got != c.want || !says(err, c.err) {
			t.Errorf("%s: got %d, %v", c.path, got, err)
		}
	}
}

// A server that is killed just when it is called is none.
func TestProbeOfAServerThatEndsIsRepeated(t *testing.T) {
	path := filepath.Join(privateDir(t), "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	ended := make(chan error, 1)
	go func() {
		c, err := l.Accept()
		l.Close()
		if err == nil {
			c.Close()
		}
		ended <- err
	}()
	got, _, err := Probe(t.Context(), path)
	if called := <-ended; got != Missing || err != nil || called != nil {
		t.Errorf("%d, %v; called: %v", got, err, called)
	}
}

// says reports whether an error's text has want in it; none is wanted for "".
func says(err error, want string) bool {
	if err == nil || want == "" {
		return err == nil && want == ""
	}
	return strings.Contains(err.Error(), want)
}

// privateDir returns a short path of a folder for sockets: those of the testing
// package grow beyond what a socket's path may have.
func privateDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "deck")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// Two servers of one path: the folder was removed, another server was started,
// and then the first is told to make its socket anew.
func TestAServerDoesNotPushAnotherOut(t *testing.T) {
	dir := filepath.Join(privateDir(t), "run")
	o := Options{Socket: filepath.Join(dir, "s")}
	first, err := listen(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer first.lock.release()
	defer first.close()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := first.renew(); err != nil {
		t.Errorf("a socket that is gone: %v", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	second, err := listen(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer second.lock.release()
	defer second.close()
	if err := first.renew(); !says(err, "another server has taken its place") {
		t.Errorf("the socket of another server was taken: %v", err)
	}
}
