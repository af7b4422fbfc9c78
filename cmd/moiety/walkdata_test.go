package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// walkKind is a kind of small random data that walks begin with.
type walkKind struct {
	name    string
	ending  string   // of the file
	reading []string // flags by which the file is read
	models  []string // those that suit it, the first is what the data choose
	codes   bool     // it is about people's health without --health
	write   func(d *walkData) string
}

// steps reports data of which rows of a table of assignments are steps, and no records.
func (k walkKind) steps() bool { return k.models[0] == "hmm" }

// walkData draws the records of one walk: hidden groups, and what is odd in them.
type walkData struct {
	r     *rand.Rand
	n, d  int
	first int     // number of the first record: ids go on in a second file
	blank float64 // share of cells without a value
	alike bool    // some records are there several times
	huge  bool    // one value is far beyond all others
}

// newWalkData draws sizes and oddities.
func newWalkData(r *rand.Rand) *walkData {
	d := &walkData{r: r, n: 2 + r.IntN(60), d: 1 + r.IntN(9), alike: r.IntN(6) == 0, huge: r.IntN(12) == 0}
	if r.IntN(5) == 0 {
		d.n = 60 + r.IntN(180)
	}
	if r.IntN(4) == 0 {
		d.blank = .3 * r.Float64()
	}
	return d
}

// table writes a wide table: an id, a side column and d columns of cells, each drawn for the
// group that a record is of.
func (d *walkData) table(cell func(r *rand.Rand, group, column int) string) string {
	var b strings.Builder
	b.WriteString("id,ward")
	for j := range d.d {
		fmt.Fprintf(&b, ",x%c", 'a'+j)
	}
	b.WriteByte('\n')
	var last []string
	for i := range d.n {
		row, group := make([]string, d.d), d.r.IntN(3)
		for j := range row {
			if row[j] = cell(d.r, group, j); d.r.Float64() < d.blank {
				row[j] = ""
			}
		}
		if d.alike && i%3 > 0 {
			row = last
		}
		last = row
		fmt.Fprintf(&b, "r%d,%s,%s\n", d.first+i, []string{"east", "west"}[group%2], strings.Join(row, ","))
	}
	return b.String()
}

// courses writes a long table of records that pass from one group to another, so many rows a day.
func (d *walkData) courses(head string, row func(group int) string, rows int) string {
	var b strings.Builder
	b.WriteString(head + "\n")
	for i := range d.n {
		g := d.r.IntN(2)
		for day := range 2 + d.r.IntN(6) {
			if d.r.IntN(4) == 0 {
				g = 1 - g
			}
			for range rows {
				fmt.Fprintf(&b, "s%d,%d,%s\n", d.first+i, day, row(g))
			}
		}
	}
	return b.String()
}

// walkKinds are all kinds.
func walkKinds() []walkKind {
	whole := func(of func(r *rand.Rand, group, column int) int) func(*walkData) string {
		return func(d *walkData) string {
			return d.table(func(r *rand.Rand, g, j int) string {
				if d.huge && r.IntN(20) == 0 {
					return []string{"100000", "1000000000000", "1000000000000000"}[r.IntN(3)]
				}
				return strconv.Itoa(of(r, g, j))
			})
		}
	}
	real := func(low float64) func(*walkData) string {
		return func(d *walkData) string {
			return d.table(func(r *rand.Rand, g, j int) string {
				v := low + 3*float64((g+j)%3) + r.NormFloat64()
				if low > 0 {
					v = (1 + float64((g+j)%3)) * r.ExpFloat64()
				}
				if d.huge && r.IntN(20) == 0 {
					v = 1e9
				}
				return strconv.FormatFloat(v, 'g', 5, 64)
			})
		}
	}
	words := strings.Fields("apple pear plum grape melon cherry quince olive car bus train tram bike ship plane sled red blue green black white grey pink brown")
	codes := strings.Fields("428 401 250 414 585 272 650 V27 V30 042 486 518 038 995 584")
	text := func(d *walkData) string {
		g, list := d.r.IntN(3), []string{}
		for range 2 + d.r.IntN(14) {
			at := 8*g + d.r.IntN(8)
			if d.r.IntN(5) == 0 {
				at = d.r.IntN(len(words))
			}
			list = append(list, words[at])
		}
		return strings.Join(list, " ")
	}
	code := func(d *walkData, g int) string { return codes[(5*g+d.r.IntN(7))%len(codes)] }
	return []walkKind{
		{"presences", "csv", nil, []string{"bernoulli", "none", "poisson", "mixed", "gaussian", "categorical"}, false, whole(func(r *rand.Rand, g, j int) int {
			return int(r.Float64() + .3 + .4*float64((g+j)%2))
		})},
		{"counts", "csv", []string{"--format", "counts"}, []string{"lda", "single-topic", "poisson", "binomial", "mixed", "gaussian"}, false, whole(func(r *rand.Rand, g, j int) int {
			return r.IntN(3) * (1 + 4*((g+j)%3))
		})},
		{"levels", "csv", []string{"--format", "categorical"}, []string{"categorical", "mixed"}, false, whole(func(r *rand.Rand, g, j int) int { return 1 + (g+j+r.IntN(2))%3 })},
		{"answers", "csv", nil, []string{"categorical", "mixed", "bernoulli"}, false, func(d *walkData) string {
			return d.table(func(r *rand.Rand, g, j int) string { return []string{"yes", "no", "maybe"}[(g+j+r.IntN(2))%3] })
		}},
		{"measurements", "csv", nil, []string{"gaussian", "mixed", "none"}, false, real(0)},
		{"durations", "csv", []string{"--format", "real"}, []string{"exponential", "gaussian"}, false, real(1)},
		{"genotypes", "csv", []string{"--format", "genotypes"}, []string{"binomial"}, false, whole(func(r *rand.Rand, g, j int) int { return (g + j + r.IntN(2)) % 3 })},
		{"columns", "csv", nil, []string{"mixed", "gaussian", "categorical"}, false, func(d *walkData) string {
			return d.table(func(r *rand.Rand, g, j int) string {
				switch j % 3 {
				case 0:
					return strconv.FormatFloat(float64(4*g)+r.NormFloat64(), 'f', 2, 64)
				case 1:
					return []string{"red", "green", "blue"}[(g+r.IntN(2))%3]
				}
				return strconv.Itoa((g + r.IntN(2)) % 2)
			})
		}},
		{"codes", "csv", nil, []string{"bernoulli", "none", "poisson"}, true, func(d *walkData) string {
			var b strings.Builder
			b.WriteString("patient,code\n")
			for i := range d.n {
				g := d.r.IntN(3)
				for range 1 + d.r.IntN(5) {
					fmt.Fprintf(&b, "p%d,%s\n", d.first+i, code(d, g))
				}
			}
			return b.String()
		}},
		{"list", "csv", []string{"--label", "age"}, []string{"bernoulli"}, true, func(d *walkData) string {
			var b strings.Builder
			b.WriteString("id,age,dx1,dx2,dx3,dx4\n")
			for i := range d.n {
				g := d.r.IntN(3)
				fmt.Fprintf(&b, "p%d,%d,%s,%s,%s,\n", d.first+i, 20+d.r.IntN(60), code(d, g), code(d, g), code(d, g))
			}
			return b.String()
		}},
		{"texts", "jsonl", nil, []string{"lda", "single-topic", "poisson"}, false, func(d *walkData) string {
			var b strings.Builder
			for i := range d.n {
				line, err := json.Marshal(map[string]string{"id": "d" + strconv.Itoa(d.first+i), "text": text(d)})
				if err != nil {
					panic(err)
				}
				b.Write(append(line, '\n'))
			}
			return b.String()
		}},
		{"lines", "txt", []string{"--format", "lines"}, []string{"lda", "single-topic"}, false, func(d *walkData) string {
			var b strings.Builder
			for range d.n {
				b.WriteString(text(d) + "\n")
			}
			return b.String()
		}},
		{"words", "txt", []string{"--format", "uci"}, []string{"lda", "single-topic", "poisson", "none"}, false, func(d *walkData) string {
			var b strings.Builder
			entries := 0
			for i := range d.n {
				g := d.r.IntN(3)
				for h := range 12 {
					if n := d.r.IntN(4) * (1 + 2*((g+h)%3)); n > 0 && d.r.IntN(2) == 0 {
						if d.huge && d.r.IntN(20) == 0 {
							n = 1e15
						}
						fmt.Fprintf(&b, "%d %d %d\n", i+1, h+1, n)
						entries++
					}
				}
			}
			return fmt.Sprintf("%d\n12\n%d\n%s", d.n, entries, b.String())
		}},
		{"visits", "csv", []string{"--format", "sequences", "--id", "id", "--time", "day"}, []string{"hmm"}, false, func(d *walkData) string {
			return d.courses("id,day,code", func(g int) string { return codes[(5*g+d.r.IntN(7))%len(codes)] }, 1+d.r.IntN(3))
		}},
		{"courses", "csv", []string{"--format", "sequences", "--id", "id", "--time", "day"}, []string{"hmm"}, false, func(d *walkData) string {
			return d.courses("id,day,pulse,pressure", func(g int) string {
				return fmt.Sprintf("%.1f,%.1f", 70+20*float64(g)+5*d.r.NormFloat64(), 120-15*float64(g)+8*d.r.NormFloat64())
			}, 1)
		}},
		{"sequences", "csv", []string{"--format", "sequences"}, []string{"hmm"}, false, func(d *walkData) string {
			var b strings.Builder
			b.WriteString("id,t1,t2,t3,t4,t5,t6\n")
			for i := range d.n {
				g := d.r.IntN(2)
				fmt.Fprintf(&b, "s%d", d.first+i)
				for range 6 {
					if d.r.IntN(4) == 0 {
						g = 1 - g
					}
					b.WriteString("," + []string{"sleep", "rest", "walk", "run"}[2*g+d.r.IntN(2)])
				}
				b.WriteByte('\n')
			}
			return b.String()
		}},
	}
}
