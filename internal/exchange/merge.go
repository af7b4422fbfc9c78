package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// Named is a file with the name it was read under.
type Named struct {
	Name string
	*File
}

// Merge adds up files of sites, or of several sites each. Before the first round
// it joins the lists of sites. Files that do not belong together, and a site that
// is in twice, are refused by name.
func Merge(files []Named) (*File, error) {
	if len(files) == 0 {
		return nil, errors.New("exchange: no files to merge")
	}
	first := files[0]
	out := *first.File
	out.Sites, out.In, out.Sum = slices.Clone(out.Sites), slices.Clone(out.In), slices.Clone(out.Sum)
	if out.Now == nil && len(out.Done) > 0 {
		return nil, fmt.Errorf("%s holds totals of all sites, and nothing of a new round: merge the files that \"moiety moments\" wrote", first.Name)
	}
	for _, f := range files[1:] {
		if err := alike(f, first); err != nil {
			return nil, err
		}
		add := out.join
		if out.Now != nil {
			add = out.add
		}
		if err := add(f, first.Name); err != nil {
			return nil, err
		}
	}
	if out.Now != nil && len(out.In) == len(out.Sites) {
		out.Done = append(slices.Clone(out.Done), Total{*out.Now, out.Sum})
		out.Now, out.In, out.Sum = nil, nil, nil
	}
	return &out, nil
}

// alike refuses a file of another study or another round.
func alike(f, first Named) error {
	switch {
	case !bytes.Equal(f.Study, first.Study):
		return fmt.Errorf("%s was made with other settings than %s: every site must give the same flags", f.Name, first.Name)
	case f.Open != first.Open:
		return fmt.Errorf("one of %s and %s holds open sums, and the other hidden ones: all sites must do alike", f.Name, first.Name)
	case (f.Now == nil) != (first.Now == nil), len(f.Done) != len(first.Done):
		return fmt.Errorf("%s is of another round than %s: every site must be given the same totals", f.Name, first.Name)
	}
	for i, d := range f.Done {
		if why := d.Round.Differs(first.Done[i].Round); why != "" || !slices.Equal(d.Sum, first.Done[i].Sum) {
			return fmt.Errorf("%s goes back to other totals than %s: every site must be given the same ones", f.Name, first.Name)
		}
	}
	return nil
}

// join adds the sites of a file to the list.
func (f *File) join(o Named, first string) error {
	for _, s := range o.Sites {
		for _, t := range f.Sites {
			switch {
			case s.Key == t.Key:
				return fmt.Errorf("%s: %s is in already: a site must not be merged twice", o.Name, s.Name)
			case s.Name == t.Name:
				return fmt.Errorf("%s: another site is called %s too: give each its own name with ‹site›", o.Name, s.Name)
			}
		}
		f.Sites = append(f.Sites, s)
	}
	return nil
}

// sameSites reports whether a file is of a study of these sites.
func (f *File) sameSites(o Named) bool {
	return slices.EqualFunc(o.Sites, f.Sites, func(a, b Site) bool { return a.Key == b.Key && a.Name == b.Name })
}

// add adds the numbers of a file to the sum.
func (f *File) add(o Named, first string) error {
	if !f.sameSites(o) {
		return fmt.Errorf("%s is of a study of other sites than %s", o.Name, first)
	}
	for _, i := range o.In {
		if slices.Contains(f.In, i) {
			return fmt.Errorf("%s: %s is in already: a site must not be merged twice", o.Name, f.Sites[i].Name)
		}
	}
	var err error
	if f.Sum, err = addTo(f.Sum, o.Sum, *f.Now, *o.Now, o.Name, first); err != nil {
		return err
	}
	f.In = append(f.In, o.In...)
	slices.Sort(f.In)
	return nil
}

// Subtract takes the numbers of sites out of a merged file again: a site that was
// added by mistake, or whose file is to be made anew. Of a file of totals it opens the
// last round again. What was never added is refused, by the name of its site.
func Subtract(from Named, files []Named) (*File, error) {
	out := *from.File
	if out.Now == nil && len(out.Done) > 0 {
		last := out.Done[len(out.Done)-1]
		out.Done, out.Now, out.Sum = out.Done[:len(out.Done)-1], &last.Round, last.Sum
		for i := range out.Sites {
			out.In = append(out.In, i)
		}
	}
	out.Sites, out.In, out.Sum = slices.Clone(out.Sites), slices.Clone(out.In), slices.Clone(out.Sum)
	for _, f := range files {
		if err := alike(f, Named{from.Name, &out}); err != nil {
			return nil, err
		}
		take := out.leave
		if out.Now != nil {
			take = out.take
		}
		if err := take(f, from.Name); err != nil {
			return nil, err
		}
	}
	if len(out.Sites) == 0 || out.Now != nil && len(out.In) == 0 {
		return nil, fmt.Errorf("nothing would be left of %s", from.Name)
	}
	return &out, nil
}

// leave takes the sites of a file off the list.
func (f *File) leave(o Named, from string) error {
	for _, s := range o.Sites {
		i := slices.IndexFunc(f.Sites, func(t Site) bool { return s.Key == t.Key })
		if i < 0 {
			return fmt.Errorf("%s: %s is not in %s: what was never added cannot be taken away", o.Name, s.Name, from)
		}
		f.Sites = slices.Delete(f.Sites, i, i+1)
	}
	return nil
}

// take takes the numbers of a file from the sum.
func (f *File) take(o Named, from string) error {
	if !f.sameSites(o) {
		return fmt.Errorf("%s is of a study of other sites than %s", o.Name, from)
	}
	if why := o.Now.Differs(*f.Now); why != "" || len(o.Sum) != len(f.Sum) {
		return fmt.Errorf("%s is not what %s holds of it: %s", o.Name, from, why)
	}
	for _, i := range o.In {
		at := slices.Index(f.In, i)
		if at < 0 {
			return fmt.Errorf("%s: %s is not in %s: what was never added cannot be taken away", o.Name, f.Sites[i].Name, from)
		}
		f.In = slices.Delete(f.In, at, at+1)
	}
	for j, v := range o.Sum {
		f.Sum[j] = f.Sum[j].sub(v)
	}
	return nil
}
