#' Find the hidden groups in data.
#'
#' @param x a data frame with columns of any kind, a matrix, a sparse matrix or
#'   document-term matrix, a character vector of texts, or a list of codes.
#' @param k number of groups; NULL: as many as the records show.
#' @param model "auto" or the name of a model, see "moiety help fit".
#' @param tree whether to grow a tree of groups; k is then the number of its ends.
#' @param ... further options of "moiety fit", as prior = 0 for --prior 0.
#' @return an object of class "moiety": P (shares of the groups), probs (what a
#'   group is, groups × features), predclass, posterior, bic, aic, llik, verdict; of
#'   sequences (format = "sequences", id = ..., time = ...) transitions, and with
#'   courses = 2 also courses (of every sequence) and course_transitions.
moiety <- function(x, k = NULL, model = "auto", tree = FALSE, ...) {
  folder <- tempfile("moiety-")
  dir.create(folder, mode = "0700")
  on.exit(unlink(folder, recursive = TRUE))
  settings <- list(...)
  described <- !is.null(settings$format)
  data <- write_data(x, folder, described)
  run <- file.path(folder, "run")
  size <- if (is.null(k)) NULL else c(if (tree) "--leaves" else "-k", format(k, scientific = FALSE))
  call_program(c("fit", data, "-o", run, "--model", model, size, as_flags(settings)))
  fitted <- list(k = k, files = read_files(run), call = match.call(), described = described, texts = is.character(x) || is.list(x) && !is.data.frame(x))
  fitted <- take_tables(fitted, run, file.path(folder, "tables"))
  structure(take_fit(fitted, run), class = "moiety")
}

as_flags <- function(settings) {
  unlist(Map(function(name, value) c(paste0("--", gsub("_", "-", name)), as.character(value)), names(settings), settings), use.names = FALSE)
}

# The run is kept as its files: an object of R lives longer than a folder.
read_files <- function(run) {
  names <- list.files(run)
  stats::setNames(lapply(file.path(run, names), function(p) readBin(p, "raw", file.size(p))), names)
}

with_run <- function(object, use) {
  folder <- tempfile("moiety-")
  run <- file.path(folder, "run")
  dir.create(run, recursive = TRUE, mode = "0700")
  on.exit(unlink(folder, recursive = TRUE))
  for (name in names(object$files)) writeBin(object$files[[name]], file.path(run, name))
  use(run, folder)
}

read_table <- function(path) {
  utils::read.csv(path, check.names = FALSE, colClasses = NA, encoding = "UTF-8", stringsAsFactors = FALSE)
}

take_tables <- function(fitted, run, tables) {
  call_program(c("export", run, "--to", "csv", "--probabilities", "all", "-o", tables))
  weights <- read_table(file.path(tables, "weights.csv"))
  groups <- as.character(weights$group)
  fitted$P <- stats::setNames(weights$weight, groups)
  centers <- read_table(file.path(tables, "centers.csv"))
  fitted$probs <- t(as.matrix(centers[groups]))
  dimnames(fitted$probs) <- list(groups, as.character(centers$feature))
  placed <- read_table(file.path(tables, "assignments.csv"))
  fitted$posterior <- as.matrix(placed[groups])
  dimnames(fitted$posterior) <- list(NULL, groups)
  fitted$predclass <- match(as.character(placed$group), groups)
  fitted$nobs <- nrow(placed)
  topics <- file.path(tables, "topics.csv")
  fitted$topics <- if (file.exists(topics)) read_table(topics) else NULL
  for (name in c("transitions", "courses", "course_transitions")) { # of sequences
    table <- file.path(tables, paste0(name, ".csv"))
    if (file.exists(table)) fitted[[name]] <- read_table(table)
  }
  fitted
}

number_of <- function(text, key) {
  at <- regmatches(text, regexpr(paste0("\"", key, "\": *-?[0-9.eE+-]+"), text))
  if (length(at)) as.numeric(sub(".*: *", "", at[1])) else NA_real_
}

take_fit <- function(fitted, run) {
  text <- paste(call_program(c("eval", run, "--json")), collapse = "\n")
  fitted$llik <- number_of(text, "log_likelihood")
  fitted$npar <- number_of(text, "parameters")
  fitted$bic <- number_of(text, "bic")
  fitted$aic <- number_of(text, "aic")
  fitted
}

#' Groups of new records: their numbers, or the probability of every group.
predict.moiety <- function(object, newdata, type = c("class", "posterior"), ...) {
  type <- match.arg(type)
  if (missing(newdata)) {
    return(if (type == "class") object$predclass else object$posterior)
  }
  with_run(object, function(run, folder) {
    data <- write_data(newdata, folder, isTRUE(object$described))
    out <- file.path(folder, "new.csv")
    call_program(c("assign", run, data, "--probabilities", "all", "-o", out))
    placed <- read_table(out)
    groups <- names(object$P)
    if (type == "class") match(as.character(placed$group), groups) else as.matrix(placed[groups])
  })
}

#' Shares of groups in records ("topics") and of features in groups ("terms"), as in topicmodels.
posterior <- function(object, newdata, ...) UseMethod("posterior")

posterior.moiety <- function(object, newdata, ...) {
  topics <- if (missing(newdata)) object$posterior else predict(object, newdata, "posterior")
  list(terms = object$probs, topics = topics)
}

#' The most typical features of every group, one column a group.
terms.moiety <- function(x, k = 10, ...) {
  groups <- names(x$P)
  top <- lapply(groups, function(g) utils::head(x$topics$feature[as.character(x$topics$group) == g], k))
  n <- max(0, lengths(top))
  out <- vapply(top, function(t) c(t, rep(NA_character_, n - length(t))), character(n))
  matrix(out, n, length(groups), dimnames = list(NULL, groups))
}

logLik.moiety <- function(object, ...) {
  structure(object$llik, df = object$npar, nobs = object$nobs, class = "logLik")
}

nobs.moiety <- function(object, ...) object$nobs

print.moiety <- function(x, ...) {
  cat(with_run(x, function(run, folder) call_program(c("show", run))), sep = "\n")
  invisible(x)
}

#' Write the report and open it where there is somebody to look.
plot.moiety <- function(x, file = tempfile("moiety-", fileext = ".html"), ...) {
  with_run(x, function(run, folder) call_program(c("report", run, "-o", file)))
  if (interactive()) utils::browseURL(file)
  invisible(file)
}
