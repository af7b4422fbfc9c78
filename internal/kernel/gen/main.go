// Command gen writes the assembly of package kernel and, for each processor, the
// Go file through which it is called:
//
//	go generate ./internal/kernel
//
// That file is the only table of kernels: for each one a function that goes to
// the tier at work, and one that says whether that tier has it. Where a
// processor lacks a kernel both are there too, and say no; so the code that
// proves bounds before a call is the same Go everywhere.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"

	"github.com/moiety-go/moiety/internal/kernel/gen/neon"
	"github.com/moiety-go/moiety/internal/kernel/gen/text"
	"github.com/moiety-go/moiety/internal/kernel/gen/x86"
)

func main() {
	list := []*text.Processor{x86.Write(), neon.Write()}
	for _, p := range list {
		for name, text := range p.Files {
			write(name, text)
		}
		write("calls_"+p.Name+".go", calls(p, all(list)))
	}
	none := text.New("none")
	write("calls_none.go", bytes.Replace(calls(none, all(list)), []byte("!purego"), []byte("(!amd64 && !arm64) || purego"), 1))
}

func write(name string, text []byte) {
	if err := os.WriteFile(name, text, 0o644); err != nil {
		log.Fatal(err)
	}
}

// all returns the kernels of all processors; the same name is the same call.
func all(list []*text.Processor) (out []*text.Kernel) {
	for _, p := range list {
		for _, k := range p.Kernels {
			i := slices.IndexFunc(out, func(o *text.Kernel) bool { return o.Name == k.Name })
			if i < 0 {
				out = append(out, k)
			} else if !slices.Equal(out[i].Args, k.Args) {
				log.Fatalf("%s: other arguments on %s: %v", k.Name, p.Name, k.Args)
			}
		}
	}
	return out
}

// calls is the Go file of a processor.
func calls(p *text.Processor, kernels []*text.Kernel) []byte {
	b := &bytes.Buffer{}
	fmt.Fprintf(b, "%s\npackage kernel\n\n// compiled says that there is assembly.\nconst compiled = %v\n", text.Header, len(p.Kernels) > 0)
	for _, t := range p.Tables {
		fmt.Fprintf(b, "\nvar %s = [%d]%s(inLanes[%[3]s](%d", t.Name, len(t.Bits)*t.Lanes, t.Type, t.Lanes)
		for _, bits := range t.Bits {
			fmt.Fprintf(b, ", %#x", bits)
		}
		fmt.Fprintln(b, "))")
	}
	for _, k := range kernels {
		mine := p.Find(k.Name)
		if mine == nil {
			mine = &text.Kernel{Name: k.Name, Args: k.Args}
		}
		call(b, p, mine)
	}
	return b.Bytes()
}

// call writes the functions of one kernel.
func call(b *bytes.Buffer, p *text.Processor, k *text.Kernel) {
	var names []string
	for _, a := range k.Args {
		names = append(names, strings.Fields(a)[0])
	}
	args, pass := strings.Join(k.Args, ", "), strings.Join(names, ", ")
	has := "false"
	switch {
	case len(k.Tiers) == 1 && k.Tiers[0] != p.Tiers[0]:
		has = "active == " + k.Tiers[0].Name
	case len(k.Tiers) > 0:
		has = "active != plain"
	}
	name := strings.ToUpper(k.Name[:1]) + k.Name[1:]
	fmt.Fprintf(b, "\nfunc has%s() bool { return %s }\n", name, has)
	switch len(k.Tiers) {
	case 0:
		fmt.Fprintf(b, "\nfunc call%s(%s) {\n}\n", name, blank(k.Args))
	case 1:
		fmt.Fprintf(b, "\n// call%s %s\nfunc call%[1]s(%[3]s) {\n\t%s%s(%s)\n}\n", name, k.Doc, args, k.Name, k.Tiers[0].Suffix, pass)
	default:
		fmt.Fprintf(b, "\n// call%s %s\nfunc call%[1]s(%[3]s) {\n\tif active == %s {\n\t\t%s%s(%s)\n\t\treturn\n\t}\n\t%[5]s%[8]s(%[7]s)\n}\n",
			name, k.Doc, args, k.Tiers[1].Name, k.Name, k.Tiers[1].Suffix, pass, k.Tiers[0].Suffix)
	}
	for _, t := range k.Tiers {
		fmt.Fprintf(b, "\n//go:noescape\nfunc %s%s(%s)\n", k.Name, t.Suffix, args)
	}
}

// blank names no argument.
func blank(args []string) string {
	var out []string
	for _, a := range args {
		out = append(out, "_ "+strings.Fields(a)[1])
	}
	return strings.Join(out, ", ")
}
