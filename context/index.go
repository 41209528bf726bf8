package memory

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"
)

// indexVersion changes with the fields below; an index of another version is built anew.
const indexVersion = 1

// The fields of a note in the index. Nothing is stored: texts come from memory.db.
const (
	fieldAll     = "all"     // title twice, text, reason, tags and files, as tokens
	fieldTitle   = "title"   // the title alone
	fieldWord    = "word"    // the words as they were written, to correct what is typed
	fieldProject = "project" // and the following: whole values to filter by
	fieldKind    = "kind"
	fieldDead    = "dead" // "y" for what a search leaves out
	fieldDay     = "day"  // of the last change
)

// errIndex says that the index cannot be used as it is.
var errIndex = errors.New("the index is not usable")

// stamp is what an index says of itself: which store it belongs to and how far it got.
type stamp struct {
	Store   string `json:"store"`
	Version string `json:"version"`
	Seq     uint64 `json:"seq"`
}

var stampKey = []byte("deck")

func thisVersion() string { return fmt.Sprintf("%d.%d", indexVersion, tokenVersion) }

// index is an open index: scorch's inverted lists without bleve's query layer,
// which would cost each process 11 MB and some ms, and whose scores rank worse.
type index struct {
	scorch  bleve.Index
	queue   *bleve.AnalysisQueue
	dir     string
	info    os.FileInfo // of its root file, to see that it is still there
	trouble chan error  // what scorch's own goroutines reported
}

// asyncName is under what scorch finds the function that takes its goroutines' errors.
const asyncName = "deck"

// troubles are the channels for them, by the index's folder.
var troubles sync.Map

func init() {
	scorch.RegistryAsyncErrorCallbacks[asyncName] = func(err error, dir string) {
		if ch, ok := troubles.Load(dir); ok {
			select {
			case ch.(chan error) <- err:
			default:
			}
		}
	}
}

// openIndex opens the index in a folder, or makes an empty one.
func openIndex(dir string) (x *index, err error) {
	x = &index{queue: bleve.NewAnalysisQueue(2), dir: dir, trouble: make(chan error, 1)}
	err = guard(func() (err error) {
		x.scorch, err = scorch.NewScorch(scorch.Name, map[string]any{
			"path":                   dir,
			"bolt_timeout":           "1s",
			"asyncErrorCallbackName": asyncName,
			"numSnapshotsToKeep":     1,
		}, x.queue)
		if err == nil {
			troubles.Store(dir, x.trouble)
			err = x.scorch.Open()
		}
		if err == nil {
			x.info, err = os.Stat(filepath.Join(dir, "root.bolt"))
		}
		return err
	})
	if err == nil {
		if err = x.check(); err != nil {
			x.close()
			return nil, err
		}
	}
	if err != nil {
		x.queue.Close()
		troubles.Delete(dir)
		return nil, fmt.Errorf("%w: %w", errIndex, err)
	}
	return x, nil
}

func (x *index) close() {
	err := guard(x.scorch.Close)
	_ = err // what was acknowledged is on the disk, and the rest comes from the log again
	x.queue.Close()
	troubles.Delete(x.dir)
}

// intact reports whether the index's folder is still the one that was opened.
func (x *index) intact() bool {
	info, err := os.Stat(filepath.Join(x.dir, "root.bolt"))
	return err == nil && os.SameFile(info, x.info)
}

// read runs f on the index as it is at this moment.
func (x *index) read(f func(bleve.IndexReader) error) error {
	return guard(func() error {
		r, err := x.scorch.Reader()
		if err != nil {
			return err
		}
		defer r.Close()
		return f(r)
	})
}

func (x *index) stamp() (st stamp, err error) {
	err = x.read(func(r bleve.IndexReader) error {
		data, err := r.GetInternal(stampKey)
		if err != nil || data == nil {
			return err
		}
		return json.Unmarshal(data, &st)
	})
	return st, err
}

// apply brings changed notes into the index together with the stamp, so that it always
// knows what it holds. A nil note is one that is gone.
func (x *index) apply(notes map[ID]*Note, st stamp) error {
	data, err := json.Marshal(st)
	if err != nil {
		return err
	}
	b := bleve.NewBatch()
	for id, n := range notes {
		if n == nil {
			b.Delete(string(id))
		} else {
			b.Update(documentOf(*n))
		}
	}
	b.SetInternal(stampKey, data)
	done := make(chan error, 1)
	go func() { done <- guard(func() error { return x.scorch.Batch(b) }) }()
	select {
	case err = <-done:
	case err = <-x.trouble:
		// The goroutine that would answer may be the one that ended.
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errIndex, err)
	}
	return nil
}

// analyzed hands bleve tokens that are made already, whatever the text is.
type analyzed analysis.TokenStream

// Analyze implements bleve's interface.
func (a analyzed) Analyze([]byte) analysis.TokenStream { return analysis.TokenStream(a) }

// termsOf are tokens as they are looked for.
func termsOf(lists ...[]lexeme) (out analyzed) {
	for _, list := range lists {
		for _, t := range list {
			out = append(out, &analysis.Token{Term: []byte(t.term), Position: len(out) + 1})
		}
	}
	return out
}

// spellings are tokens as they were written, each once.
func spellings(list []lexeme) (out analyzed) {
	seen := map[string]bool{}
	for _, t := range list {
		if len(t.word) >= 3 && !seen[t.word] {
			seen[t.word] = true
			out = append(out, &analysis.Token{Term: []byte(t.word), Position: 1})
		}
	}
	return out
}

// documentOf is what the index learns of a note.
func documentOf(n Note) *document.Document {
	d := document.NewDocument(string(n.ID))
	text := func(name, value string, o bleve.FieldIndexingOptions, a analysis.Analyzer) {
		if value != "" {
			d.AddField(document.NewTextFieldCustom(name, nil, []byte(value), bleve.IndexField|o, a))
		}
	}
	all := searchable(n)
	title, every := tokens(n.Title), tokens(all)
	text(fieldAll, all, 0, termsOf(title, every))
	text(fieldTitle, n.Title, 0, termsOf(title))
	text(fieldWord, all, bleve.SkipFreqNorm, spellings(every))
	text(fieldProject, string(n.Project), bleve.SkipFreqNorm, nil)
	text(fieldKind, string(n.Kind), bleve.SkipFreqNorm, nil)
	text(fieldDay, n.Updated.UTC().Format(dayFormat), bleve.SkipFreqNorm, nil)
	if n.leftOut() {
		text(fieldDead, "y", bleve.SkipFreqNorm, nil)
	}
	return d
}

const dayFormat = "20060102"

// searchable is all of a note that can be found.
func searchable(n Note) string {
	var b strings.Builder
	for _, s := range []string{n.Title, n.Text, n.Reason, n.Type} {
		if s != "" {
			b.WriteString(s)
			b.WriteByte('\n')
		}
	}
	for _, t := range n.Tags {
		b.WriteString(t)
		b.WriteByte('\n')
	}
	for _, f := range n.Files {
		b.WriteString(f.Path)
		b.WriteByte('\n')
	}
	return b.String()
}

// check compares the files of the index with the sums they end with. scorch
// would open one that has garbage inside, and answer from it.
func (x *index) check() error {
	return x.read(func(r bleve.IndexReader) error {
		snapshot, ok := r.(*scorch.IndexSnapshot)
		if !ok {
			return errIndex
		}
		for _, seg := range snapshot.Segments() {
			if file, ok := seg.Segment().(interface{ Path() string }); ok {
				if err := checkSegment(file.Path()); err != nil {
					return fmt.Errorf("%w: %s: %w", errIndex, filepath.Base(file.Path()), err)
				}
			}
		}
		return nil
	})
}

func checkSegment(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() < 4 {
		return io.ErrUnexpectedEOF
	}
	sum := crc32.NewIEEE()
	if _, err := io.CopyN(sum, f, info.Size()-4); err != nil {
		return err
	}
	var want [4]byte
	if _, err := io.ReadFull(f, want[:]); err != nil {
		return err
	}
	if binary.BigEndian.Uint32(want[:]) != sum.Sum32() {
		return errors.New("its contents are not what was written")
	}
	return nil
}

// logWriter takes what bleve writes through the standard log package, which would
// otherwise land on the terminal.
type logWriter struct{ log *slog.Logger }

func (w logWriter) Write(p []byte) (int, error) {
	w.log.Warn("index", "said", line(string(p), maxLine))
	return len(p), nil
}

func takeStandardLog(l *slog.Logger) {
	log.SetFlags(0)
	log.SetOutput(logWriter{l})
}
