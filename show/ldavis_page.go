package show

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"

	"github.com/moiety-go/moiety/internal/phrases"
	"github.com/moiety-go/moiety/report"
)

//go:embed assets
var assets embed.FS

// asset returns a file that is part of the program.
func asset(name string) string {
	b, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("show: a built-in file is missing: " + err.Error())
	}
	return string(b)
}

// WriteLDAvisJSON writes the data of the page alone.
func WriteLDAvisJSON(w io.Writer, r *report.Report) error {
	v, err := NewLDAvis(r)
	if err != nil {
		return err
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("show: topics as JSON: %w", err)
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// ldavisPage is what the page needs besides the data.
type ldavisPage struct {
	Title   string
	Noun    string // "topic", "group"
	Term    string // "word", "diagnosis"
	Terms   string
	Lambda  float64
	Note    string
	Style   template.CSS
	Script  template.JS
	Data    *LDAvis
	Names   []string // of the topics, by falling weight
	IDs     []string
	Palette []string // colours of the topics
	Said    map[string]string
	Lang    string
}

// WriteLDAvis writes a page of its own with the map of topics, the bars of terms
// and the slider for λ. It asks no network.
func WriteLDAvis(w io.Writer, r *report.Report) error {
	v, err := NewLDAvis(r)
	if err != nil {
		return err
	}
	page := ldavisPage{
		Title: treeTitle(r), Noun: groupNoun(r), Term: r.Unit.Feature, Terms: r.Unit.Features, Lambda: r.Lambda, Note: wholeNote(r),
		Style: template.CSS(tokenCSS() + asset("page.css") + asset("ldavis.css")), Script: template.JS(asset("page.js") + asset("ldavis.js")), Data: v,
	}
	for _, j := range v.groups {
		g := r.Leaf(j)
		page.IDs, page.Names = append(page.IDs, g.ID), append(page.Names, g.Name)
		page.Palette = append(page.Palette, hexColour(groupPaint(j)))
	}
	l := phrases.Language(cmp.Or(r.Language, string(phrases.English)))
	page.Lang = string(l)
	page.Said = map[string]string{ // what the script writes, by its own names
		"none": l.Shown("none"), "of": l.Shown("of"), "salient": l.Shown("Most salient " + page.Terms), "relevant": l.Shown("Most relevant " + page.Terms + " of " + page.Noun),
		"noun": l.Shown(page.Noun),
	}
	t, err := template.New("ldavis").Parse(asset("ldavis.html"))
	if err != nil {
		return fmt.Errorf("show: the page of topics: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, page); err != nil {
		return err
	}
	_, err = io.WriteString(w, l.Page(b.String()))
	return err
}
