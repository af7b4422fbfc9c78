package parquet

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// nowhere is the folder of the rows without a value.
const nowhere = "__HIVE_DEFAULT_PARTITION__"

// folders returns the columns that the folders of a file say: year=2020/part.parquet
// has the year 2020 in all its rows. Those that the file has itself are its own.
func folders(path string, own []*column) (out []*column) {
	folder, err := filepath.Abs(filepath.Dir(path))
	if path == "" || err != nil {
		return nil
	}
	for _, part := range strings.Split(filepath.ToSlash(folder), "/") {
		name, v, is := strings.Cut(part, "=")
		if !is || name == "" {
			continue
		}
		if plain, err := url.PathUnescape(name); err == nil {
			name = plain
		}
		if plain, err := url.PathUnescape(v); err == nil {
			v = plain
		}
		if v == nowhere {
			v = ""
		}
		has := func(c *column) bool { return strings.EqualFold(c.name, name) }
		if !slices.ContainsFunc(own, has) && !slices.ContainsFunc(out, has) {
			out = append(out, &column{name: name, folder: &v})
		}
	}
	return out
}
