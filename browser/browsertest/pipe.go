package browsertest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// pipe speaks the DevTools protocol with a browser over two pipes: messages of JSON, each
// ended by a zero byte. A browser whose pipes are closed ends by itself.
type pipe struct {
	program *exec.Cmd
	in, out *os.File
	event   func(method string, params json.RawMessage) // in the order in which things happened
	session string

	mu      sync.Mutex
	last    int
	waiting map[int]chan message
	ended   chan struct{} // closed when the browser says nothing any more
}

// message is a call, its answer, or an event.
type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// start starts a browser and joins its first page.
func start(ctx context.Context, program string, args []string, event func(string, json.RawMessage)) (*pipe, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), in.Close())
	}
	p := &pipe{in: in, out: out, event: event, waiting: make(map[int]chan message), ended: make(chan struct{})}
	p.program = exec.Command(program, append(args, "--remote-debugging-pipe", "about:blank")...)
	p.program.ExtraFiles = []*os.File{theirIn, theirOut} // 3 and 4 for the browser
	err = errors.Join(p.program.Start(), theirIn.Close(), theirOut.Close())
	if err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	go p.read()
	return p, p.join(ctx)
}

// join takes the page that the browser opened first.
func (p *pipe) join(ctx context.Context) error {
	var list struct {
		Infos []struct{ TargetID, Type string } `json:"targetInfos"`
	}
	for len(list.Infos) == 0 || list.Infos[0].Type != "page" {
		if err := p.call(ctx, "Target.getTargets", map[string]any{"filter": []any{map[string]any{"type": "page"}}}, &list); err != nil {
			return err
		}
		select { // it is not open yet
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	var joined struct{ SessionID string }
	err := p.call(ctx, "Target.attachToTarget", map[string]any{"targetId": list.Infos[0].TargetID, "flatten": true}, &joined)
	p.session = joined.SessionID
	return err
}

// read hands on what the browser says, until it ends.
func (p *pipe) read() {
	defer close(p.ended)
	r := bufio.NewReaderSize(p.out, 1<<16)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		params := json.RawMessage{}
		m := message{Params: &params}
		if err := json.Unmarshal(text[:len(text)-1], &m); err != nil {
			return
		}
		if m.ID == 0 {
			p.event(m.Method, params)
			continue
		}
		p.mu.Lock()
		answer := p.waiting[m.ID]
		delete(p.waiting, m.ID)
		p.mu.Unlock()
		answer <- m
	}
}

// call asks the browser for something and waits for the answer.
func (p *pipe) call(ctx context.Context, method string, params, result any) error {
	answer := make(chan message, 1)
	p.mu.Lock()
	p.last++
	text, err := json.Marshal(message{ID: p.last, Session: p.session, Method: method, Params: params})
	if err == nil {
		p.waiting[p.last] = answer
		_, err = p.in.Write(append(text, 0))
	}
	p.mu.Unlock()
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-p.ended:
		return fmt.Errorf("%s: the browser has ended", method)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// close ends the browser, so that its folder can be removed.
func (p *pipe) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	p.session = ""
	_ = p.call(ctx, "Browser.close", nil, nil) // it may end before it answers
	stop := time.AfterFunc(10*time.Second, func() { _ = p.program.Process.Kill() })
	defer stop.Stop()
	_ = p.program.Wait()
	_ = p.in.Close()
	_ = p.out.Close()
}
