module github.com/moiety-go/moiety/bank

go 1.26.0
