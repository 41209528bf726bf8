package memory

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// A test runs itself again as another process, which these variables tell what to do.
const (
	envWriter = "DECK_TEST_WRITER" // folder to write to until it is killed
	envSmall  = "DECK_TEST_SMALL"  // folder to write to with files that cannot grow
	envReader = "DECK_TEST_READER" // folder to open that cannot be written
	envRounds = "DECK_TEST_ROUNDS" // how often the writer is killed
)

func TestMain(m *testing.M) {
	for name, f := range map[string]func(dir string) error{envWriter: writeUntilKilled, envSmall: writeOnFullDisk, envReader: readOnly} {
		if dir := os.Getenv(name); dir != "" {
			if err := f(dir); err != nil {
				fmt.Println("error:", err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	goleak.VerifyTestMain(m)
}

// rerun runs this test program as another process.
func rerun(t testing.TB, name, dir string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), name+"="+dir)
	return cmd
}

// writeUntilKilled has four writers, and prints the text of each note when it is acknowledged.
func writeUntilKilled(dir string) error {
	s, err := Open(Options{Dir: dir, Wait: 10 * time.Second})
	if err != nil {
		return err
	}
	ctx := testContext()
	p, err := s.AddProject(ctx, "shop")
	if err != nil {
		return err
	}
	var out sync.Mutex
	run := time.Now().UnixNano()
	for w := range 4 {
		go func() {
			for i := 0; ; i++ {
				text := fmt.Sprintf("writer%d run%d fact%d says something", w, run, i)
				n, _, err := s.Remember(ctx, Draft{Project: p.ID, Text: text})
				out.Lock()
				if err != nil {
					fmt.Println("error:", err)
				} else {
					fmt.Println(n.ID, text)
				}
				out.Unlock()
			}
		}()
	}
	select {}
}

// TestNothingAcknowledgedIsLost kills a writer again and again.
func TestNothingAcknowledgedIsLost(t *testing.T) {
	t.Parallel()
	rounds := 12
	if n, err := strconv.Atoi(os.Getenv(envRounds)); err == nil {
		rounds = n
	}
	dir := t.TempDir()
	acked := map[ID]string{}
	for round := range rounds {
		cmd := rerun(t, envWriter, dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		sc := bufio.NewScanner(out)
		for n := 0; n < 5+7*(round%9) && sc.Scan(); n++ {
			ack(t, acked, sc.Text())
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for sc.Scan() {
			ack(t, acked, sc.Text())
		}
		_ = cmd.Wait()
		afterCrash(t, dir, acked)
	}
	t.Logf("%d rounds, %d notes acknowledged", rounds, len(acked))
}

func ack(t *testing.T, acked map[ID]string, line string) {
	t.Helper()
	id, text, ok := strings.Cut(line, " ")
	if !ok || id == "error:" {
		t.Fatalf("the writer says %q", line)
	}
	if len(id) == 26 && strings.HasSuffix(text, "something") { // a line may be cut by the kill
		acked[ID(id)] = text
	}
}

// afterCrash opens what a killed writer left: every acknowledged note is there
// and the index has as many notes as the store.
func afterCrash(t *testing.T, dir string, acked map[ID]string) {
	t.Helper()
	s, err := Open(Options{Dir: dir, Wait: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if len(s.Notices()) > 0 {
		t.Fatal(s.Notices())
	}
	count := 0
	if err := s.eachNote(func(Note) bool { count++; return true }); err != nil {
		t.Fatal(err)
	}
	for id, text := range acked {
		if n, err := s.Note(string(id)); err != nil || n.Text != text {
			t.Fatalf("%s %q is lost: %v", id, text, err)
		}
	}
	if n := indexed(t, s); int(n) != count {
		t.Fatalf("%d notes in the index of %d", n, count)
	}
}

// TestACopyOfAnOpenFileOpens copies the files of a store that is being written.
func TestACopyOfAnOpenFileOpens(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openTest(t, dir)
	p := project(t, s, "shop")
	for i := range 10 {
		n := remember(t, s, p, fmt.Sprintf("fact %d", i))
		to := filepath.Join(t.TempDir(), "copy")
		if err := os.MkdirAll(to, 0o700); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, fileName))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, fileName), data, 0o600); err != nil {
			t.Fatal(err)
		}
		copied := openTest(t, to)
		if got, err := copied.Note(string(n.ID)); err != nil || got.Text != n.Text {
			t.Errorf("%+v %v", got, err)
		}
		if got := indexed(t, copied); int(got) != i+1 {
			t.Errorf("%d notes in the index of %d", got, i+1)
		}
	}
}

// writeOnFullDisk fills a store whose files may not grow beyond a limit, and
// says what happened.
func writeOnFullDisk(dir string) error {
	s, err := Open(Options{Dir: dir})
	if err != nil {
		return err
	}
	ctx := testContext()
	p, err := s.AddProject(ctx, "shop")
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 2 << 20, Max: 2 << 20}); err != nil {
		return err
	}
	kept := 0
	for i := range 5000 {
		_, _, err := s.Remember(ctx, Draft{Project: p.ID, Text: fmt.Sprintf("fact %d %s", i, strings.Repeat("stone ", 1000))})
		if errors.Is(err, ErrUnavailable) {
			list, err := s.Notes(Listing{Project: p.ID})
			if err != nil || len(list) != kept {
				return fmt.Errorf("%d notes of %d are left: %w", len(list), kept, err)
			}
			if res, err := s.Search(ctx, Query{Text: "stone", Project: p.ID}); err != nil || len(res.Hits) == 0 {
				return fmt.Errorf("a full disk ends searching: %+v, %w", res, err)
			}
			return s.Close()
		}
		if err != nil {
			return err
		}
		kept++
	}
	return errors.New("the disk never filled")
}

func TestAFullDiskIsAnError(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if out, err := rerun(t, envSmall, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s := openTest(t, dir)
	if len(s.Notices()) > 0 {
		t.Error(s.Notices())
	}
	remember(t, s, project(t, s, "shop"), "there is space again")
	if res := search(t, s, Query{Text: "space again"}); len(res.Hits) == 0 {
		t.Errorf("%+v", res)
	}
}

// readOnly opens a folder that cannot be written.
func readOnly(dir string) error {
	s, err := Open(Options{Dir: dir})
	if err != nil {
		return err
	}
	defer s.Close()
	if !strings.Contains(strings.Join(s.Notices(), " "), "cannot be written") {
		return fmt.Errorf("notices: %q", s.Notices())
	}
	p, err := s.ProjectNamed("shop")
	if err != nil {
		return err
	}
	if _, _, err := s.Remember(testContext(), Draft{Project: p.ID, Text: "new"}); !errors.Is(err, ErrUnavailable) {
		return fmt.Errorf("remembered: %w", err)
	}
	res, err := s.Search(testContext(), Query{Text: "apples"})
	if err != nil || len(res.Hits) != 1 {
		return fmt.Errorf("%+v: %w", res, err)
	}
	return nil
}

func TestAFolderThatCannotBeWrittenCanBeRead(t *testing.T) {
	t.Parallel()
	dir, _ := filled(t, "red apples")
	cmd := rerun(t, envReader, dir)
	if os.Getuid() == 0 {
		// Permissions do not hold root up: let somebody else read.
		for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
			if err := os.Chmod(d, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		copyOfMe := filepath.Join(dir, "me")
		data, err := os.ReadFile(cmd.Path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copyOfMe, data, 0o755); err != nil {
			t.Fatal(err)
		}
		cmd.Path = copyOfMe
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		cmd.Dir = "/"
		if err := os.Chmod(filepath.Join(dir, fileName), 0o644); err != nil {
			t.Fatal(err)
		}
	} else {
		if err := os.Chmod(filepath.Join(dir, fileName), 0o400); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

func TestManyWriteAtOnce(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir())
	p := project(t, s, "shop")
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			n, _, err := s.Remember(t.Context(), Draft{Project: p, Text: fmt.Sprintf("fact of writer %d", i)})
			if err != nil {
				t.Error(err)
			}
			if got, err := s.Note(n.Short); err != nil || got.ID != n.ID {
				t.Error(got, err)
			}
		})
	}
	wg.Wait()
	if n := indexed(t, s); n != 64 {
		t.Errorf("%d notes in the index", n)
	}
}

func TestAClosedStoreSaysSo(t *testing.T) {
	t.Parallel()
	s, err := Open(Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	p := project(t, s, "shop")
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for {
				if _, _, err := s.Remember(t.Context(), Draft{Project: p, Text: "again"}); err != nil {
					if !errors.Is(err, ErrUnavailable) {
						t.Error(err)
					}
					return
				}
			}
		})
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
	if _, err := s.Note("F"); !errors.Is(err, ErrUnavailable) {
		t.Error(err)
	}
	if _, err := s.Search(t.Context(), Query{Text: "again"}); !errors.Is(err, ErrUnavailable) {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
