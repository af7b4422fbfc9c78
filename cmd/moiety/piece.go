package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/moiety-go/moiety/internal/fit"
)

// addSpread defines the flags by which other processes add up the sums of a fit.
func addSpread(c *cobra.Command, s *fit.Spread) {
	section(c, "Flags")
	f := c.Flags()
	f.StringVar(&s.By, "by", "", "command that has the sums added up by other processes: it gets the arguments of \"moiety piece\", a line for each piece, on standard input, such as 'xargs -P 4 -L 1 moiety piece'")
	f.StringVar(&s.Work, "work", "", "with --by: folder that all these processes see; it holds the records while the fit goes on")
	f.IntVar(&s.Shards, "shards", 0, "with --by: cut the records into so many pieces, which agree with one machine to 1e-12; 0: at most 64 pieces with its very bits")
	f.DurationVar(&s.Limit, "pass-limit", 0, "with --by: time for one pass, such as 10m, after which what is missing is asked for again; three times in all")
	section(c, "Other computers")
}

// checkSpread refuses flags of work that is spread where something is missing.
func checkSpread(c *cobra.Command, s fit.Spread) error {
	if s.By == "" {
		for _, name := range []string{"work", "shards", "pass-limit"} {
			if c.Flags().Changed(name) {
				return misuse("--%s goes with --by, the command that has sums added up", name)
			}
		}
		return nil
	}
	switch {
	case s.Work == "":
		return misuse("--by needs --work, a folder that all processes see")
	case s.Shards < 0:
		return misuse("--shards %d: write 0 for the bits of one machine, or a number of pieces", s.Shards)
	case s.Limit < 0:
		return misuse("--pass-limit %v: write a time such as 10m", s.Limit)
	}
	return nil
}

func (a *app) pieceCommand() *cobra.Command {
	var m machine
	c := &cobra.Command{
		Use:   "piece FOLDER ROUND PIECE...",
		Short: "Add up pieces of a fit that another process leads",
		Long: `Adds up pieces of the records for a fit that another process leads with --by, on
this computer or another one that sees the same folder, and leaves the sums
there. Schedulers call it with the lines they get; docs/cluster.md has examples.
A piece that is added up twice gives the same bytes twice.`,
		Example: `  moiety fit claims.csv -k 8 -o run --work /shared --by 'xargs -P 4 -L 1 moiety piece'`,
		Args:    argsBetween(3, -1, "FOLDER ROUND PIECE..."),
		RunE: func(c *cobra.Command, args []string) error {
			if err := m.begin(a); err != nil {
				return err
			}
			var numbers []int
			for _, word := range args[1:] {
				n, err := strconv.Atoi(word)
				if err != nil || n < 0 {
					return misuse("%q: write the number of a round and those of its pieces", word)
				}
				numbers = append(numbers, n)
			}
			return ofData(fit.Piece(c.Context(), args[0], numbers[0], numbers[1:], m.workers))
		},
	}
	m.add(c)
	return c
}
