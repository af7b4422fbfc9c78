# Reads one data set of an R package and writes it as CSV:
#   Rscript fetch.R LIBRARY PACKAGE "ITEM ITEM" RECIPE FILE
# A recipe is an expression of the items; without one it is the first item. Packages are
# read, never loaded, so that what they depend on need not be there.
given <- commandArgs(TRUE)
items <- strsplit(given[3], " ")[[1]]
.libPaths(c(given[1], .libPaths()))
home <- file.path(given[1], given[2])

expressions <- function(x) get("exprs", attr(x, "assayData"))
phenotypes <- function(x) attr(attr(x, "phenoData"), "data")

# widest returns the n rows that vary most, as columns.
widest <- function(m, n) {
  by <- order(-apply(m, 1, var))
  t(m[sort(by[seq_len(n)]), ])
}

# alleles returns copies of every allele but the first of a locus, with the population.
alleles <- function(x, named = TRUE) {
  a <- attributes(x)
  tab <- a$tab[, duplicated(as.character(a$loc.fac))]
  tab <- tab[, colMeans(tab > 0, na.rm = TRUE) >= .02]
  if (named) data.frame(tab, class = a$pop) else data.frame(tab)
}

# doses returns copies of every allele but the first of loci that are written as two
# alleles in one word.
doses <- function(tab) {
  columns <- list()
  for (locus in names(tab)) {
    word <- as.character(tab[[locus]])
    width <- max(nchar(word), na.rm = TRUE) %/% 2
    one <- substr(word, 1, width); two <- substr(word, width + 1, 2 * width)
    gone <- is.na(word) | nchar(word) < 2 * width | grepl("^0+$", one)
    known <- sort(unique(c(one[!gone], two[!gone])))
    for (a in known[-1]) {
      copies <- ifelse(gone, NA, (one == a) + (two == a))
      if (mean(copies > 0, na.rm = TRUE) >= .02) columns[[paste(locus, a, sep = ".")]] <- copies
    }
  }
  as.data.frame(columns)
}

# calls returns every n-th marker of a matrix of calls, 0 where there is none.
calls <- function(x, n) {
  x <- unclass(asS4(x, FALSE))
  x <- x[, seq(1, ncol(x), n)]
  d <- matrix(as.integer(x) - 1L, nrow(x), dimnames = list(NULL, colnames(x)))
  d[d < 0 | d > 2] <- NA
  as.data.frame(d)
}

documents <- function(x) vapply(unclass(x)$content, function(d) paste(d$content, collapse = " "), "")

# verses returns n verses of every language, the same ones.
verses <- function(x, n) {
  languages <- setdiff(names(x), "verses")
  both <- Reduce(intersect, lapply(languages, function(l) names(x[[l]])))
  both <- both[seq(1, length(both), length.out = n)]
  do.call(rbind, lapply(languages, function(l) data.frame(text = unname(x[[l]][both]), class = l)))
}

# twins returns counts of bacteria with the body of the person.
twins <- function() {
  counts <- t(read.csv(file.path(home, "extdata/Twins.csv"), row.names = 1))
  data.frame(counts, class = scan(file.path(home, "extdata/TwinStudy.t"), quiet = TRUE))
}

for (item in items) if (!grepl("/", item)) {
  data(list = item, package = given[2], lib.loc = given[1], envir = environment())
}
d <- if (given[4] == "") get(items[1]) else eval(parse(text = given[4]))
d <- as.data.frame(d)
for (n in names(d)) if (is.factor(d[[n]])) d[[n]] <- as.character(d[[n]])
write.csv(d, given[5], row.names = FALSE, na = "", fileEncoding = "UTF-8")
