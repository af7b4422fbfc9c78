module github.com/moiety-go/moiety

go 1.26.0

require (
	codeberg.org/go-pdf/fpdf v0.12.0
	github.com/blevesearch/snowballstem v0.9.0
	github.com/inconshreveable/mousetrap v1.1.0
	github.com/jackc/pgx/v5 v5.11.0
	github.com/klauspost/compress v1.20.3
	github.com/pierrec/lz4/v4 v4.1.21
	github.com/spf13/cobra v1.10.2
	github.com/spf13/pflag v1.0.9
	golang.org/x/image v0.47.0
	golang.org/x/sys v0.49.0
	golang.org/x/term v0.47.0
	golang.org/x/text v0.43.0
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
)
