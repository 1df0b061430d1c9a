# Quantile regression forest of the R package ranger (Wright, Ziegler, 2017, J. Stat. Softw. 77).
# Settings: the arguments of ranger::ranger, such as num.trees, min.node.size and mtry.
task <- commandArgs(trailingOnly = TRUE)[1]
text <- function(x) jsonlite::toJSON(x, auto_unbox = TRUE, digits = NA)
version <- function(name) as.character(packageVersion(name))

describe <- function() {
  versions <- list(R = as.character(getRversion()), ranger = version("ranger"), jsonlite = version("jsonlite"))
  list(contract = 1, name = "ranger", versions = versions, deterministic = FALSE, server = TRUE, arrays = "csv")
}

answer <- function(request) {
  if (request$contract != 1) {
    return(list(contract = 1, error = "unsupported", message = "this method follows version 1 of the contract"))
  }
  file <- function(name) file.path(request$folder, name)
  train <- read.csv(file("X_train.csv"), header = FALSE)
  new <- read.csv(file("X_test.csv"), header = FALSE)
  y <- scan(file("y_train.csv"), quiet = TRUE)
  settings <- modifyList(list(num.trees = 500, min.node.size = 10), as.list(request$settings))
  fixed <- list(x = train, y = y, quantreg = TRUE, num.threads = request$threads, seed = request$seed)
  set.seed(request$seed) # the one row that each leaf keeps is drawn by R's generator, not by ranger's
  model <- do.call(ranger::ranger, c(fixed, settings))
  found <- predict(model, new, type = "quantiles", quantiles = request$levels, num.threads = request$threads)
  lines <- apply(found$predictions, 1, function(row) paste(format(row, digits = 17, trim = TRUE), collapse = ","))
  writeLines(lines, file("values.csv"))
  list(contract = 1, form = "quantiles", values = "values.csv", levels = request$levels)
}

parse <- function(words) jsonlite::fromJSON(words, simplifyDataFrame = FALSE)
if (task == "describe") {
  cat(text(describe()), "\n")
} else if (task == "run") {
  writeLines(text(answer(parse(paste(readLines("request.json", warn = FALSE), collapse = "")))), "response.json")
} else if (task == "serve") {
  input <- file("stdin", "r")
  while (length(line <- readLines(input, n = 1)) > 0) {
    cat(text(answer(parse(line))), "\n", sep = "")
    flush(stdout())
  }
}
