package beam

// SetRowsPart cuts rows into objects of so many bytes.
func SetRowsPart(n int64) { rowsPart = n }
