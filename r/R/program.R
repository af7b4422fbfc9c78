# The program itself: where it is, and one call of it.

#' Path of the program: MOIETY_PROGRAM, or the one on the path.
moiety_program <- function() {
  given <- Sys.getenv("MOIETY_PROGRAM")
  found <- if (nzchar(given)) given else unname(Sys.which("moiety"))
  if (!nzchar(found) || !file.exists(found)) {
    stop("the program moiety is not here: put it on the path, or set MOIETY_PROGRAM", call. = FALSE)
  }
  found
}

# call_program runs the program and returns what it wrote; mistakes are errors in
# the program's own words.
call_program <- function(args) {
  err <- tempfile("moiety-")
  on.exit(unlink(err))
  out <- suppressWarnings(system2(moiety_program(), shQuote(c(args, "--progress", "none", "--quiet")),
    stdout = TRUE, stderr = err))
  status <- attr(out, "status")
  if (!is.null(status) && status != 0) {
    said <- readLines(err, warn = FALSE)
    at <- grep("^moiety: ", said)
    if (length(at)) said <- sub("^moiety: ", "", said[at[length(at)]:length(said)])
    if (!length(said)) said <- paste("the program was stopped from outside, exit", status)
    stop(paste(said, collapse = "\n"), call. = FALSE)
  }
  out
}
