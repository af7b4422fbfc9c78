package choose

import (
	"context"
	"errors"
	"math"

	"github.com/moiety-go/moiety/internal/fit"
	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/pass"
	"github.com/moiety-go/moiety/warn"
)

// holdOut holds a share of the records out and prepares the fits of the
// others.
func (s *search) holdOut(ctx context.Context, settings fit.Settings) error {
	n := s.data.Run.Len()
	if s.o.HeldOut <= 0 {
		return nil
	}
	count := int(math.Round(s.o.HeldOut * float64(n)))
	if count < leastHeldOut || n-count < leastHeldOut {
		s.warn(warn.New(warn.Note, "none-aside", "Give more records to have a check on unseen ones.",
			"There are too few records (%d) to keep some aside: the advice rests on the likelihood of the records that were fitted.", n))
		return nil
	}
	out := make([]bool, n)
	for _, i := range stream.New(s.o.Seed, "choose/aside").Perm(n)[:count] {
		out[i] = true
	}
	train, err := part(ctx, s.data, out, false, settings.Workers)
	if err != nil {
		return err
	}
	if s.heldOut, err = part(ctx, s.data, out, true, settings.Workers); err != nil {
		return err
	}
	s.curve.Aside = count
	s.trainPath, err = fit.NewPath(ctx, train, settings, s.o.Max)
	if errors.Is(err, fit.ErrTooLittle) {
		s.trainPath, s.curve.Aside, err = nil, 0, nil
	}
	return err
}

// densities returns the log density of every record held out under a model
// of k groups of the others, nil where there is none.
func (s *search) densities(ctx context.Context, k int) ([]float64, error) {
	if s.trainPath == nil {
		return nil, nil
	}
	f, err := s.trainPath.At(ctx, k)
	if err != nil {
		return nil, err
	}
	out := make([]float64, s.heldOut.Run.Can().Own)
	fam := s.trainPath.Family()
	_, err = s.heldOut.Run.Own(ctx, func(b pass.Block) error {
		return fam.LogDensity(f.Params, b, out[b.First:][:b.N()])
	})
	return out, err
}

// compareHeldOut fills in the means over the records held out. A record that
// holds something no fitted record had is impossible under a model, and left
// out under all of them.
func (s *search) compareHeldOut() {
	ks := s.sizes()
	if s.trainPath == nil || len(ks) == 0 {
		return
	}
	var use []int
	for i := range s.heldOut.Run.Len() {
		possible := true
		for _, k := range ks {
			v := s.tried[k].aside[i]
			possible = possible && !math.IsInf(v, 0) && !math.IsNaN(v)
		}
		if possible {
			use = append(use, i)
		}
	}
	s.curve.Aside = len(use)
	if len(use) < leastHeldOut {
		return
	}
	best := ks[0]
	for _, k := range ks {
		t := s.tried[k]
		t.point.HeldOut = mean(t.aside, use)
		if t.point.HeldOut > s.tried[best].point.HeldOut {
			best = k
		}
	}
	for _, k := range ks {
		t := s.tried[k]
		t.point.Behind, t.point.BehindError = behind(s.tried[best].aside, t.aside, use)
	}
}

// impossible warns of records held out that no model allows.
func (s *search) impossible() {
	if s.trainPath == nil {
		return
	}
	if left := s.heldOut.Run.Len() - s.curve.Aside; left > 0 {
		s.warn(warn.New(warn.Note, "impossible-aside", "",
			"%d of the %d records kept aside hold something that no other record has; they were left out of the comparison.", left, s.heldOut.Run.Len()))
	}
}

func mean(v []float64, use []int) float64 {
	sum := 0.0
	for _, i := range use {
		sum += v[i]
	}
	return sum / float64(len(use))
}

// behind returns the mean of a−b over the records and its standard error.
func behind(a, b []float64, use []int) (m, se float64) {
	n := float64(len(use))
	for _, i := range use {
		m += (a[i] - b[i]) / n
	}
	for _, i := range use {
		d := a[i] - b[i] - m
		se += d * d
	}
	return m, math.Sqrt(se / (n - 1) / n)
}

// part returns the records whose mark is want.
func part(ctx context.Context, data fit.Training, mark []bool, want bool, workers int) (fit.Training, error) {
	out := data
	out.Fingerprint = ""
	if all := data.Run.Can().Rows; all != nil && !data.Sequences {
		var rows []int
		for i, m := range mark {
			if m == want {
				rows = append(rows, i)
			}
		}
		out.Run = pass.NewLocal(all.Pick(rows), workers)
		return out, nil
	}
	first := data.Run.Can().First
	var err error
	out.Run, err = pass.Filter(ctx, data.Run, func(own int) bool { return mark[first+own] == want })
	return out, err
}
