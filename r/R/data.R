# What people hold in their hands, as files that the program reads.

# write_data writes x into a folder and returns the words that say what it is; a
# data frame that was described, by its format, goes as it is.
write_data <- function(x, folder, described = FALSE) {
  path <- function(name) file.path(folder, name)
  if (is.character(x)) {
    return(write_lines(path("data.jsonl"), json_lines(as.list(x), "text"), c("--format", "jsonl", "--id", "id", "--text", "text")))
  }
  if (is.list(x) && !is.data.frame(x)) {
    codes <- vapply(x, function(row) paste0("[", paste(json_text(as.character(row)), collapse = ","), "]"), "")
    lines <- sprintf("{\"id\":\"%d\",\"codes\":%s}", seq_along(x), codes)
    return(write_lines(path("data.jsonl"), lines, c("--format", "jsonl", "--id", "id", "--code", "codes")))
  }
  if (inherits(x, "sparseMatrix") || inherits(x, "simple_triplet_matrix")) {
    return(write_sparse(x, path))
  }
  if (is.matrix(x)) {
    if (is.null(colnames(x))) colnames(x) <- paste0("V", seq_len(ncol(x)))
    x <- as.data.frame(x, check.names = FALSE)
  }
  if (!is.data.frame(x)) {
    stop("give a data frame, a matrix, texts, or a list of codes, not ", class(x)[1], call. = FALSE)
  }
  if (described) {
    utils::write.csv(x, path("data.csv"), row.names = FALSE, na = "", fileEncoding = "UTF-8")
    return(c(path("data.csv"), "--header", "yes", "--separator", ","))
  }
  write_frame(x, path("data.csv"))
}

write_lines <- function(path, lines, words) {
  con <- file(path, "w", encoding = "UTF-8")
  on.exit(close(con))
  writeLines(enc2utf8(lines), con, useBytes = TRUE)
  c(path, words)
}

json_text <- function(s) {
  s <- enc2utf8(s)
  s[is.na(s)] <- ""
  s <- gsub("\\", "\\\\", s, fixed = TRUE)
  s <- gsub("\"", "\\\"", s, fixed = TRUE)
  s <- gsub("[[:cntrl:]]", " ", s)
  paste0("\"", s, "\"")
}

json_lines <- function(texts, name) {
  sprintf("{\"id\":\"%d\",\"%s\":%s}", seq_along(texts), name, json_text(as.character(texts)))
}

write_frame <- function(x, path) {
  id <- "id"
  while (id %in% names(x)) id <- paste0("_", id)
  out <- cbind(stats::setNames(data.frame(seq_len(nrow(x))), id), x)
  logical <- vapply(out, is.logical, NA)
  out[logical] <- lapply(out[logical], as.integer)
  utils::write.csv(out, path, row.names = FALSE, na = "", fileEncoding = "UTF-8")
  kinds <- declared(x)
  words <- c(path, "--id", id, "--header", "yes", "--separator", ",", rbind("--columns", quoted(names(x))))
  if (length(kinds)) c(words, rbind("--columns", quoted(sprintf("%s=%s", names(kinds), kinds)))) else words
}

# declared says what columns hold by their class, whatever their values look like.
declared <- function(x) {
  kinds <- vapply(x, function(column) {
    if (is.ordered(column)) "ordered"
    else if (is.factor(column) || is.character(column)) "answers"
    else if (is.logical(column) && !all(is.na(column))) "presence"
    else ""
  }, "")
  kinds[kinds != ""]
}

# quoted writes names for a list of names: commas part them.
quoted <- function(names) {
  special <- grepl("[,\"]", names)
  names[special] <- paste0("\"", gsub("\"", "\"\"", names[special], fixed = TRUE), "\"")
  names
}

write_sparse <- function(x, path) {
  if (inherits(x, "simple_triplet_matrix")) {
    i <- x$i; j <- x$j; v <- x$v; shape <- c(x$nrow, x$ncol)
  } else {
    t <- methods::as(methods::as(x, "generalMatrix"), "TsparseMatrix")
    i <- t@i + 1L; j <- t@j + 1L; v <- if ("x" %in% methods::slotNames(t)) t@x else rep(1, length(i)); shape <- dim(t)
  }
  order <- order(i, j)
  lines <- c("%%MatrixMarket matrix coordinate real general", paste(shape[1], shape[2], length(v)),
    sprintf("%d %d %.15g", i[order], j[order], v[order]))
  words <- write_lines(path("data.mtx"), lines, c("--format", "mtx"))
  if (!is.null(colnames(x))) {
    writeLines(colnames(x), path("names.txt"), useBytes = TRUE)
    words <- c(words, "--vocab-file", path("names.txt"))
  }
  words
}
