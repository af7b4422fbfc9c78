package api

import (
	"bytes"
	"context"
	"encoding/csv"
	"math"
	"strconv"

	"github.com/moiety-go/moiety/internal/stream"
	"github.com/moiety-go/moiety/internal/synth"
)

// Example is a made-up file to try things with, and what to say about it.
type Example struct {
	Data     DataFile `json:"data"`
	Settings Settings `json:"settings"`
}

// ExampleRequest names a kind of example.
type ExampleRequest struct {
	Kind string `json:"kind"`
}

// ExampleKinds lists the examples.
func ExampleKinds() []string { return []string{"patients", "texts", "answers"} }

// Sizes of the examples, of the program and of the page: that of the patients is
// the size of "moiety demo".
const (
	examplePatients = 6000
	exampleTexts    = 2000
	examplePeople   = 1500
	exampleSeed     = 1
)

// Example makes an example file. None of the people in it is real.
func (a *API) Example(ctx context.Context, r ExampleRequest) (*Example, error) {
	var head []string
	var rows [][]string
	var s Settings
	switch r.Kind {
	case "patients":
		head, rows = ExamplePatients(exampleSeed, examplePatients)
		s.Label = []string{"sex", "age"}
	case "texts":
		head, rows = ExampleTexts(exampleSeed, exampleTexts)
		s.Text, s.Time, s.Label = "text", "year", []string{"title", "theme"}
	case "answers":
		head, rows = ExampleAnswers(exampleSeed, examplePeople)
		s.ID, s.Label = "person", []string{"age", "region"}
	default:
		return nil, refused("There is no example %q: choose one of %v.", r.Kind, ExampleKinds())
	}
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	if err := w.WriteAll(append([][]string{head}, rows...)); err != nil {
		return nil, err
	}
	file, err := a.store.PutData(ctx, "example "+r.Kind+".csv", &text)
	return &Example{file, s}, err
}

// ExamplePatients is a made-up hospital as a wide list of diagnoses.
func ExamplePatients(seed uint64, n int) (head []string, rows [][]string) {
	patients := synth.Hospital(seed, n)
	most := 0
	for _, p := range patients {
		most = max(most, len(p.Codes))
	}
	head = []string{"patient", "sex", "age"}
	for i := range most {
		head = append(head, "dx"+strconv.Itoa(i+1))
	}
	rows = make([][]string, len(patients))
	for i, p := range patients {
		row := append([]string{p.ID, p.Sex, strconv.Itoa(p.Age)}, p.Codes...)
		rows[i] = append(row, make([]string, len(head)-len(row))...)
	}
	return head, rows
}

// ExampleTexts is a made-up corpus as a table. Some themes come up over the ten years
// of it, others go out of fashion.
func ExampleTexts(seed uint64, n int) (head []string, rows [][]string) {
	const first, years = 2015, 10
	articles, r := synth.Articles(seed, n), stream.New(seed, "example years")
	fashion := make(map[string]float64) // late, early, neither, in the order of themes
	rows = make([][]string, len(articles))
	for i, t := range articles {
		if _, ok := fashion[t.Theme]; !ok {
			fashion[t.Theme] = []float64{.5, 2, 1}[len(fashion)%3]
		}
		year := first + int(years*math.Pow(r.Float64(), fashion[t.Theme]))
		rows[i] = []string{strconv.Itoa(i + 1), strconv.Itoa(year), t.Title, t.Theme, t.Text}
	}
	return []string{"id", "year", "title", "theme", "text"}, rows
}

// answersAsked are the questions of the made-up survey, and how the three kinds
// of people in it answer: the chances of the first, second and third answer.
var answersAsked = []struct {
	question string
	answers  [3]string
	chance   [3][2]float64 // of the first two answers, by kind of people
}{
	{"smoking", [3]string{"never", "sometimes", "daily"}, [3][2]float64{{.85, .1}, {.5, .3}, {.15, .25}}},
	{"sport", [3]string{"often", "now and then", "never"}, [3][2]float64{{.75, .2}, {.2, .5}, {.05, .2}}},
	{"alcohol", [3]string{"rarely", "weekly", "daily"}, [3][2]float64{{.7, .25}, {.3, .6}, {.2, .3}}},
	{"breakfast", [3]string{"always", "sometimes", "never"}, [3][2]float64{{.8, .15}, {.3, .5}, {.15, .25}}},
	{"sleep", [3]string{"good", "fair", "poor"}, [3][2]float64{{.75, .2}, {.35, .5}, {.1, .3}}},
	{"vegetables", [3]string{"daily", "weekly", "rarely"}, [3][2]float64{{.8, .15}, {.3, .55}, {.1, .3}}},
	{"stress", [3]string{"low", "medium", "high"}, [3][2]float64{{.6, .3}, {.15, .3}, {.2, .3}}},
	{"check-up", [3]string{"yearly", "seldom", "never"}, [3][2]float64{{.7, .25}, {.2, .6}, {.1, .25}}},
	{"screen time", [3]string{"little", "some", "much"}, [3][2]float64{{.6, .3}, {.15, .35}, {.15, .25}}},
	{"walks", [3]string{"daily", "weekly", "rarely"}, [3][2]float64{{.7, .2}, {.2, .55}, {.1, .2}}},
}

// ExampleAnswers is a made-up survey on habits: three kinds of people.
func ExampleAnswers(seed uint64, n int) (head []string, rows [][]string) {
	r := stream.New(seed, "example answers")
	head = []string{"person", "age", "region"}
	for _, q := range answersAsked {
		head = append(head, q.question)
	}
	regions := []string{"north", "south", "coast", "capital"}
	for i := range n {
		kind := 0
		switch u := r.Float64(); {
		case u > 0.75:
			kind = 2
		case u > 0.42:
			kind = 1
		}
		row := []string{"A" + strconv.Itoa(1000+i), strconv.Itoa(20 + 8*kind + r.IntN(45)), regions[r.IntN(len(regions))]}
		for _, q := range answersAsked {
			u := r.Float64()
			at := 2
			if u < q.chance[kind][0] {
				at = 0
			} else if u < q.chance[kind][0]+q.chance[kind][1] {
				at = 1
			}
			row = append(row, q.answers[at])
		}
		rows = append(rows, row)
	}
	return head, rows
}
