package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/run"
	"github.com/moiety-go/moiety/internal/study"
)

// rounding are the flags of a round.
type rounding struct {
	ordering
	wait              bool
	listen, cert, key string
}

func (a *app) studyRound() *cobra.Command {
	o := &rounding{}
	c := &cobra.Command{
		Use:   "round STUDY|HOME",
		Short: "Do the next round, at a site or at the coordinator",
		Long: `At a site, with its home: takes the totals so far and sends the sums of the next round.
At the coordinator, with the folder of the study: adds up what the sites sent. With
--wait both go on until all rounds are done; --listen serves sites over the network
until then.`,
		Example: `  moiety study round Bergen.site
  moiety study round hf
  moiety study round hf --listen 127.0.0.1:8440
  moiety study round hf --listen 10.0.0.4:8440 --cert cert.pem --cert-key key.pem`,
		Args: argsBetween(1, 1, "STUDY or HOME"),
		RunE: func(c *cobra.Command, args []string) error {
			if (o.cert == "") != (o.key == "") {
				return misuse("--cert and --cert-key go together")
			}
			if study.IsHome(args[0]) {
				if o.listen != "" {
					return misuse("--listen is for the coordinator: name the folder of the study, not the home of a site")
				}
				return a.siteRound(c.Context(), args[0], o)
			}
			f := &study.Folder{Dir: args[0]}
			if _, err := f.Paper(); err != nil {
				return ofData(err)
			}
			if o.listen != "" {
				return a.serveStudy(c.Context(), f, o)
			}
			return a.leadRound(c.Context(), f, o.wait)
		},
	}
	f := c.Flags()
	f.BoolVar(&o.wait, "wait", false, "go on until all rounds are done")
	f.StringVar(&o.listen, "listen", "", "coordinator: HOST:PORT at which sites send and ask")
	f.StringVar(&o.cert, "cert", "", "coordinator: certificate (PEM) for TLS; needed where other computers can reach the address")
	f.StringVar(&o.key, "cert-key", "", "coordinator: key of the certificate (PEM)")
	o.machine.add(c)
	return c
}

// siteRound does the part of a site.
func (a *app) siteRound(ctx context.Context, dir string, o *rounding) error {
	h, err := study.OpenHome(dir)
	if err != nil {
		return ofData(err)
	}
	order, err := o.local(a, nil)
	if err != nil {
		return err
	}
	step, err := h.Round(a.listening(ctx), order, o.wait)
	if err != nil {
		return ofData(err)
	}
	if a.json {
		return a.document("study", documentOf(step.Sent, step.Done, step.Round))
	}
	for _, s := range step.Sent {
		a.sayVerbose("sent %s: %s (%s)", s.File, s.What, byteSize(int64(s.Bytes)))
	}
	if step.Done {
		a.say("All %d rounds are done; nothing more is asked of this site. Its run:  moiety study close %s -o RUN", step.Round, dir)
		return nil
	}
	a.say("The sums of round %d are sent; %s says what was in them.", step.Round+1, filepath.Join(dir, "sent"))
	a.say("Next, when the totals are there:  moiety study round %s", dir)
	return nil
}

// leadRound adds up what sites have sent; with wait until all rounds are done. Whether
// they are is seen by the whole fit over the totals, which is asked where no file comes
// for a while: the longer the fit takes, the longer.
func (a *app) leadRound(ctx context.Context, f *study.Folder, wait bool) error {
	const least, times = 300 * time.Millisecond, 4
	var pause study.Pause
	asked, patience, last := -1, least, time.Now()
	for {
		s, err := f.Round(run.Check)
		if err != nil {
			return ofData(err)
		}
		done := false
		if s.Added {
			pause, last = 0, time.Now()
		}
		if s.Joined && asked != s.Rounds && (!wait || time.Since(last) > patience) {
			asked, last = s.Rounds, time.Now()
			if done, err = f.Ready(ctx); err != nil {
				return ofData(err)
			}
			patience = max(least, times*time.Since(last))
		}
		if done || !wait || s.Stopped != "" {
			return a.sayLed(f, s, done)
		}
		if err := pause.Wait(ctx); err != nil {
			return err
		}
	}
}

func (a *app) sayLed(f *study.Folder, s study.State, done bool) error {
	if a.json {
		return a.document("study", studyDocument{Sent: []sentFile{}, Rounds: s.Rounds, Done: done})
	}
	switch {
	case done:
		a.say("All %d rounds are done. The run:  moiety study close %s -o RUN", s.Rounds, f.Dir)
	case s.Stopped != "":
		a.say("%s ended with an error: see what happened there. Its next \"moiety study round\" goes on where it stopped.", s.Stopped)
	case !s.Joined:
		a.say("%s to join. Files of sites belong into %s.", upper(s.Waiting())+" still "+has(len(s.Missing)), filepath.Join(f.Dir, "in"))
	case s.Added && s.Rounds == 0:
		a.say("All sites have joined. The newest file in %s goes to every site, into its folder of that name.", f.Sums())
	case s.Added:
		a.say("Round %d is added up. The newest file in %s goes to every site for the next.", s.Rounds, f.Sums())
	default:
		a.say("Round %d waits for %s.", s.Rounds+1, s.Waiting())
	}
	return nil
}

func has(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// serveStudy serves sites over the network.
func (a *app) serveStudy(ctx context.Context, f *study.Folder, o *rounding) error {
	s, err := study.NewServer(f, run.Check, func(s study.State) {
		switch {
		case s.Stopped != "":
			a.say("%s ended with an error.", s.Stopped)
		case s.Added && s.Rounds == 0:
			a.say("All sites have joined.")
		case s.Added:
			a.sayVerbose("Round %d is added up.", s.Rounds)
		case !s.Joined:
			a.say("A site has joined; %s to come.", s.Waiting())
		}
	})
	if err != nil {
		return err
	}
	l, err := study.Listen(o.listen, o.cert != "")
	if err != nil {
		return usage{err}
	}
	scheme := "http"
	if o.cert != "" {
		scheme = "https"
	}
	a.print("%s\n", fmt.Sprintf("%s://%s/#%s", scheme, l.Addr(), s.Token()))
	a.say("Sites join with this address. All have one token, the part behind #: whoever has it may join, send in the name of a site, and stop the study. Send it to the sites alone.")
	if err := s.Serve(ctx, l, o.cert, o.key); err != nil {
		return err
	}
	a.say("All sites have what they need. The run:  moiety study close %s -o RUN", f.Dir)
	return nil
}
