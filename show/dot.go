package show

import (
	"fmt"
	"io"
	"strings"

	"github.com/moiety-go/moiety/report"
)

// DOT writes a tree as a graph in the language of Graphviz: a box for every
// node with its id, its name and its size, an edge to each child. A flat fit is
// a graph of boxes without edges.
func DOT(w io.Writer, r *report.Report) error {
	var b strings.Builder
	b.WriteString(markDOT + "digraph groups {\n\tnode [shape=box];\n")
	for i := range r.Groups {
		g := &r.Groups[i]
		label := g.ID + "\n" + g.Name + "\n" + g.N.String() + " " + r.Unit.Many
		fmt.Fprintf(&b, "\t%s [label=%s];\n", quoteDOT(g.ID), quoteDOT(label))
	}
	for i := range r.Groups {
		for _, c := range r.Groups[i].Children {
			fmt.Fprintf(&b, "\t%s -> %s;\n", quoteDOT(r.Groups[i].ID), quoteDOT(c))
		}
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// quoteDOT quotes an identifier of the language: a backslash stands before
// quotes and backslashes, and a new line is \n.
func quoteDOT(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
