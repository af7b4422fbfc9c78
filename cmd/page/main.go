//go:build js && wasm

// Command page is the workbench's door for a page that needs no server: the
// functions of internal/api in a Web Worker, over a folder in memory. scripts/page
// puts it into one file with the screens of web; see docs/workbench.md.
//
// The worker has one thread, and a callback of JavaScript that waits hangs it:
// every request gets a goroutine and is answered by a call of its own.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"syscall/js"
	"time"

	"github.com/moiety-go/moiety/internal/api"
	"github.com/moiety-go/moiety/internal/par"
)

// spare is memory that is never written to, and so never taken from the machine: garbage is
// collected when as much as is in use, this included, has come to it. Most of the work needs
// less than 20 MB, and would be interrupted 90 times in place of 30.
var spare []byte

func main() {
	spare = make([]byte, 32<<20)
	d, err := open("/moiety")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	js.Global().Set("ask", js.FuncOf(func(_ js.Value, args []js.Value) any {
		go d.ask(request{what: args[0].String(), text: args[1].String(), file: args[2], notify: args[3]})
		return nil
	}))
	js.Global().Call("ready")
	select {} // the worker ends with its page
}

// door joins requests with functions.
type door struct {
	api   *api.API
	store api.Store
	calls map[string]api.Call
}

func open(dir string) (*door, error) {
	store, err := api.NewFolder(dir)
	if err != nil {
		return nil, err
	}
	d := &door{store: store, api: api.New(context.Background(), store, time.Now), calls: make(map[string]api.Call)}
	for _, c := range d.api.Calls() {
		d.calls[c.Name] = c
	}
	return d, nil
}

// request is what the page asks: a function's name, "put" with a file, "watch",
// "export" or "scores"; notify is called with the kind of an answer and the answer.
type request struct {
	what, text   string
	file, notify js.Value
}

// ask answers one request.
func (d *door) ask(r request) {
	var answer any
	var err error
	if caught := par.Catch(func() { answer, err = d.answer(context.Background(), r) }); caught != nil {
		err = &api.Error{Kind: api.Fault, Message: "The program failed on this. Please report it."}
	}
	if err != nil {
		text, _ := json.Marshal(api.Wrap(err)) // of two strings
		r.notify.Invoke("error", string(text))
		return
	}
	r.notify.Invoke("done", answer)
}

func (d *door) answer(ctx context.Context, r request) (any, error) {
	switch r.what {
	case "put":
		kept, err := d.store.PutData(ctx, r.file.Get("name").String(), &fileReader{file: r.file, notify: r.notify})
		return written(kept, err)
	case "watch":
		return d.watch(r)
	case "export":
		return d.export(ctx, r)
	case "scores":
		var q api.ScoreRequest
		if err := fill(&q, r.text); err != nil {
			return nil, err
		}
		var b bytes.Buffer
		err := d.api.WriteScores(ctx, q, &b)
		return saved(q.Run+"-scores.csv", "text/csv;charset=utf-8", b.Bytes()), err
	}
	c, ok := d.calls[r.what]
	if !ok {
		return nil, &api.Error{Kind: api.Unknown, Message: fmt.Sprintf("There is no function %q.", r.what)}
	}
	if c.Method == "POST" {
		text, err := c.JSON(ctx, []byte(r.text))
		return string(text), err
	}
	q := c.New()
	if err := fill(q, r.text); err != nil {
		return nil, err
	}
	return written(c.Do(ctx, q))
}

// fill fills a request from an object of words, as an address would.
func fill(q any, text string) error {
	words := make(map[string]string)
	if err := json.Unmarshal([]byte(text), &words); err != nil {
		return &api.Error{Kind: api.Refused, Message: "The request cannot be read: " + err.Error()}
	}
	return api.Bind(q, func(name string) (string, bool) {
		word, ok := words[name]
		return word, ok
	})
}

// written returns an answer as text.
func written(answer any, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	text, err := api.Marshal(answer)
	return string(text), err
}

// eventPause is the least time between two looks at a job.
const eventPause = 150 * time.Millisecond

// watch tells how far a job is until it is over.
func (d *door) watch(r request) (any, error) {
	var q api.JobRequest
	if err := fill(&q, r.text); err != nil {
		return nil, err
	}
	for {
		job, changed, err := d.api.Watch(q.Job)
		if err != nil {
			return nil, err
		}
		text, err := written(job, nil)
		if err != nil || job.State.Over() {
			return text, err
		}
		r.notify.Invoke("tell", text)
		time.Sleep(eventPause)
		<-changed
	}
}

func (d *door) export(ctx context.Context, r request) (any, error) {
	var q api.ExportRequest
	if err := fill(&q, r.text); err != nil {
		return nil, err
	}
	x, err := d.api.Export(ctx, q)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	var b bytes.Buffer
	if err := x.Write(&b); err != nil {
		return nil, err
	}
	return saved(x.Name, x.Type, b.Bytes()), nil
}

// saved is a file for the page to save.
func saved(name, media string, content []byte) js.Value {
	b := js.Global().Get("Uint8Array").New(len(content))
	js.CopyBytesToJS(b, content)
	return js.ValueOf(map[string]any{"name": name, "type": media, "bytes": b})
}

// fileReader reads a file of the browser piece by piece, and tells how far it is.
type fileReader struct {
	file, notify js.Value
	at           int
	rest         []byte
}

const filePiece = 1 << 20

func (f *fileReader) Read(b []byte) (int, error) {
	if len(f.rest) == 0 {
		size := f.file.Get("size").Int()
		if f.at >= size {
			return 0, io.EOF
		}
		end := min(f.at+filePiece, size)
		buffer, err := await(f.file.Call("slice", f.at, end).Call("arrayBuffer"))
		if err != nil {
			return 0, err
		}
		f.rest = make([]byte, end-f.at)
		if n := js.CopyBytesToGo(f.rest, js.Global().Get("Uint8Array").New(buffer)); n != len(f.rest) {
			return 0, io.ErrUnexpectedEOF
		}
		f.at = end
		f.notify.Invoke("tell", fmt.Sprintf("[%d,%d]", f.at, size))
	}
	n := copy(b, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// await waits for a promise.
func await(promise js.Value) (js.Value, error) {
	type result struct {
		value js.Value
		err   error
	}
	over := make(chan result, 1)
	kept := js.FuncOf(func(_ js.Value, args []js.Value) any { over <- result{value: args[0]}; return nil })
	defer kept.Release()
	broken := js.FuncOf(func(_ js.Value, args []js.Value) any {
		over <- result{err: &api.Error{Kind: api.Unreadable, Message: "The browser cannot read the file: " + args[0].Call("toString").String()}}
		return nil
	})
	defer broken.Release()
	promise.Call("then", kept, broken)
	r := <-over
	return r.value, r.err
}
