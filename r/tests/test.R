# Run by "make test" where R is there: R CMD INSTALL r, then this file. Without the program
# there is nothing to test; where MOIETY_PROGRAM names one it must be there.
library(moiety)
if (!nzchar(Sys.getenv("MOIETY_PROGRAM")) && !nzchar(Sys.which("moiety"))) {
  cat("skipped: the program moiety is not on the path\n")
  quit(status = 0)
}
set.seed(1)
agree <- function(a, b) {
  n <- table(a, b); pairs <- function(x) sum(choose(x, 2))
  expected <- pairs(rowSums(n)) * pairs(colSums(n)) / choose(sum(n), 2)
  (pairs(n) - expected) / ((pairs(rowSums(n)) + pairs(colSums(n))) / 2 - expected)
}
kind <- sample(1:2, 600, TRUE)
p <- rbind(c(.8, .8, .8, .1, .1, .1), c(.1, .1, .1, .8, .8, .8))
X <- matrix(as.integer(runif(3600) < p[kind, ]), 600, dimnames = list(NULL, paste0("code", 1:6)))

m <- moiety(X, 2)
stopifnot(agree(kind, m$predclass) > .75, abs(sum(m$P) - 1) < 1e-9, ncol(m$probs) == 6)
stopifnot(identical(predict(m, X), m$predclass))
stopifnot(all(abs(predict(m, X, "posterior") - m$posterior) < 1e-9))
stopifnot(is.finite(BIC(m)), abs(BIC(m) - m$bic) < 1e-6, nobs(m) == 600)
stopifnot(max(abs(rowSums(posterior(m)$topics) - 1)) < 1e-9)
print(m)

# Data frames with columns of any kind, and what is missing.
frame <- data.frame(age = ifelse(kind == 1, rnorm(600, 30, 4), rnorm(600, 70, 4)), sex = sample(c("f", "m"), 600, TRUE),
  ward = ifelse(kind == 1, "north", "south"), stringsAsFactors = TRUE)
frame$age[sample(600, 40)] <- NA
stopifnot(agree(kind, moiety(frame, 2)$predclass) > .9)

# Factors are answers whatever their labels look like, as numbers of many values or few.
rooms <- data.frame(ward = factor(ifelse(kind == 1, sample(c(101, 107, 250), 600, TRUE), sample(c(300, 412), 600, TRUE))),
  desk = factor(ifelse(kind == 1, sample(11:13, 600, TRUE), sample(21:22, 600, TRUE))), floor = factor(ifelse(kind == 1, 1, 2)),
  pain = factor(sample(0:30, 600, TRUE), ordered = TRUE), smokes = sample(c(TRUE, FALSE), 600, TRUE))
stopifnot(agree(kind, moiety(rooms, 2)$predclass) > .9, all(c("ward=101", "pain=30") %in% colnames(moiety(rooms, 2)$probs)))

# Texts and lists of codes.
words <- list(c("heart", "blood", "valve", "pulse"), c("court", "judge", "trial", "jury"))
texts <- vapply(kind, function(k) paste(sample(words[[k]], 20, TRUE), collapse = " "), "")
lda <- moiety(texts, 2, model = "lda")
stopifnot(agree(kind, lda$predclass) > .9, nrow(terms(lda, 3)) == 3)
stopifnot(length(predict(lda, c("heart pulse", "jury trial"))) == 2)
stopifnot(agree(kind, moiety(strsplit(texts, " "), 2)$predclass) > .9)

# Sparse matrices, where Matrix is there.
if (requireNamespace("Matrix", quietly = TRUE)) {
  s <- moiety(Matrix::Matrix(X, sparse = TRUE), 2)
  stopifnot(agree(s$predclass, m$predclass) > .99)
}

# Sequences: states, and kinds of sequences by their course.
steps <- do.call(rbind, lapply(1:120, function(i) {
  state <- sample(3, 1)
  symbols <- vapply(1:25, function(t) {
    if (runif(1) > c(.9, .3)[1 + i %% 2]) state <<- state %% 3 + 1
    if (runif(1) < .1) sample(letters[1:6], 1) else letters[2 * state - sample(0:1, 1)]
  }, "")
  data.frame(id = paste0("s", i), day = 1:25, symbol = symbols)
}))
chains <- moiety(steps, 3, format = "sequences", id = "id", time = "day", courses = 2)
stopifnot(nrow(chains$transitions) == 3, nrow(chains$courses) == 120, nrow(chains$course_transitions) == 6)
stopifnot(agree(1 + (1:120) %% 2, chains$courses$course) > .9)

# Mistakes are told in words.
for (wrong in list(quote(moiety(X, 0)), quote(moiety(X, 2, model = "polca")), quote(moiety(1, 2)))) {
  said <- tryCatch({ eval(wrong); "" }, error = conditionMessage)
  stopifnot(nzchar(said))
}
stopifnot(file.exists(plot(m)))
cat("all R tests passed\n")
