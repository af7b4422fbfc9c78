package show_test

import (
	"fmt"
	"strings"

	"github.com/moiety-go/moiety/show"
)

// A chart is drawn once, as a scene, and written as SVG, PNG or PDF.
func ExampleLineChart() {
	chart := show.LineChart{
		ID: "coherence", Title: "Three topics are the most coherent", XLabel: "number of topics", YLabel: "coherence",
		Series: []show.Series{
			{Name: "single topic", X: []float64{2, 3, 4}, Y: []float64{-190, -180, -200}},
			{Name: "LDA", X: []float64{2, 3, 4}, Y: []float64{-195, -185, -210}},
		},
		Notes: []string{"N = 100 documents."},
	}
	scene := chart.Scene()
	var svg strings.Builder
	if err := show.WriteSVG(&svg, scene); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(scene.Desc)
	fmt.Println(scene.Table.Rows[1])
	fmt.Println(strings.Count(svg.String(), "<text"), "texts")
	// Output:
	// single topic: highest -180 at 3. LDA: highest -185 at 3.
	// [single topic 3 -180]
	// 15 texts
}
