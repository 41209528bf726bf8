package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	memory "deck/context"
)

// server is the process: its socket, its configuration and its clients. What
// is in the panes belongs to the loop.
type server struct {
	o       Options
	log     *slog.Logger
	procs   *procs
	loop    *loop
	archive *archive
	ids     *identities
	guests  *guests
	config  atomic.Pointer[config]
	started time.Time
	scope   string // what keeps it alive after a logout

	unlogged string // why there is no log; empty: there is one

	ctx  context.Context // of everything that ends when the server stops
	stop context.CancelFunc

	mu      sync.Mutex     // held to count a client in or to stop
	faults  []string       // guarded by mu: what is wrong with configuration and rules
	clients sync.WaitGroup // attached terminals
}

// Run is the server: it returns when it was stopped, by a verb, by a signal,
// by the end of the context, or by the end of the last pane where the
// configuration says so. An error means that it never ran.
func Run(ctx context.Context, o Options) (err error) {
	parent := takeParent()
	defer func() { parent.finish(err) }()
	o = o.withDefaults()
	s, listener, err := prepare(ctx, o, parent)
	if err != nil {
		return err
	}
	defer listener.lock.release()
	defer s.procs.stop()
	return s.serve(listener, parent)
}

// prepare does what can go wrong: the log, the socket and the configuration. A
// disk that is full or read-only costs the log, and nobody their panes.
// Files made meanwhile are this user's alone; the mask is put back for the
// panes, which inherit it.
func prepare(ctx context.Context, o Options, parent *parent) (*server, *listener, error) {
	mask := unix.Umask(0o077)
	defer unix.Umask(mask)
	file, logErr := openLog(o.Log, parent != nil)
	log := newLogger(file, o.Level)
	l, err := listen(ctx, o)
	if err != nil {
		log.Error("not started", "err", err)
		file.Close()
		return nil, nil, err
	}
	l.closers = append(l.closers, file)
	s := &server{o: o, log: log, procs: newProcs(o.Procs, &runtimeCollector{}), ids: newIdentities(), guests: newGuests(), started: time.Now(), scope: parent.scope()}
	if logErr != nil {
		s.unlogged = "nothing is logged: " + logErr.Error()
	}
	cfg, err := loadConfig(o.Config)
	if err != nil {
		log.Warn("configuration not used", "err", err)
	}
	s.config.Store(&cfg)
	if err := sweepFiles(o.statePath()); err != nil {
		log.Warn("generated files stay", "err", err)
	}
	s.ctx, s.stop = context.WithCancel(ctx)
	s.archive = newArchive(MemoryPath(), o.Socket, log)
	s.loop = newLoop(s.loopOptions())
	s.archive.who = s.loop.author
	s.archive.rules = func() memory.RedactRules { return s.config.Load().Redact.rules() }
	s.noteFaults(err, s.readRules())
	return s, l, nil
}

// loopOptions is what the loop gets from the process. A configuration that was
// not used is told to whoever attaches.
func (s *server) loopOptions() loopOptions {
	return loopOptions{
		log: s.log, version: s.o.Version, socket: s.o.Socket, env: os.Environ(),
		state: s.o.statePath(), reporter: reporter(), config: *s.config.Load(), ids: s.ids, reload: s.reload, empty: s.empty, flood: s.procs.busy, wrote: s.procs.stir,
		memory: s.archive, teams: s, happened: s.archive.happened, ended: s.archive.lookInto, definitions: filepath.Join(filepath.Dir(s.o.Config), "agents"),
	}
}

// empty is called by the loop when the last session went. What is being asked is
// answered before the end, and may be for another pane.
func (s *server) empty() {
	go func() {
		back := s.guests.gone(s.ctx)
		s.loop.post(func() {
			select {
			case <-back:
				s.loop.endIfEmpty()
				return
			default:
			}
			if s.loop.isEmpty() {
				s.log.Info("server stops", "cause", "no pane is left")
				s.stop()
			}
		})
	}()
}

// serve runs until the server is stopped, and takes everything down again.
func (s *server) serve(l *listener, parent *parent) error {
	defer l.close()
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1)
	defer signal.Stop(signals)
	looped := make(chan struct{})
	go func() {
		defer close(looped)
		defer s.stop()
		s.loop.run(s.ctx)
	}()
	h := s.httpServer()
	served := make(chan error, 1)
	go func() { served <- h.Serve(l) }()
	s.log.Info("server started", "version", s.o.Version, "pid", os.Getpid(), "socket", s.o.Socket, "kept_by", s.scope)
	parent.ready()
	s.wait(l, signals)
	l.remove()
	s.stopClients()
	<-looped
	closeServer(h)
	s.archive.close()
	if err := <-served; err != nil && !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
		s.log.Error("socket failed", "err", err)
	}
	s.log.Info("server stopped")
	return nil
}

// closeTime is how long requests may take to be answered while the server ends.
const closeTime = time.Second

func closeServer(h *http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	_ = h.Shutdown(ctx)
	_ = h.Close()
}

// wait returns when the server is to stop. SIGHUP is taken and not ignored:
// what is ignored here would be ignored in every pane.
func (s *server) wait(l *listener, signals <-chan os.Signal) {
	for {
		select {
		case <-s.ctx.Done():
			return
		case sig := <-signals:
			switch sig {
			case syscall.SIGHUP:
				s.log.Info("a hang-up came, and is nothing to a server")
			case syscall.SIGUSR1:
				s.log.Info("socket made anew", "err", l.renew())
			case syscall.SIGQUIT:
				s.log.Info("stacks", "all", stacks())
			default:
				s.log.Info("server stops", "signal", sig.String())
				return
			}
		}
	}
}

// stopClients ends every attached client with a word of why, and lets no more
// in.
func (s *server) stopClients() {
	s.mu.Lock()
	s.stop()
	s.mu.Unlock()
	s.clients.Wait()
}

func stacks() string {
	buf := make([]byte, 1<<20)
	return string(buf[:runtime.Stack(buf, true)])
}
