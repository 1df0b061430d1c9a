# A method for uqbench: a linear model with normal errors. docs/do/external-methods.md has the contract.
if (commandArgs(trailingOnly = TRUE)[1] == "describe") { # whatever the numbers depend on: add the versions of your packages
  cat(sprintf('{"contract": 1, "name": "lm", "versions": {"R": "%s"}, "deterministic": true, "arrays": "csv"}\n', getRversion()))
} else { # "run": the working folder has request.json, and gets response.json
  request <- paste(readLines("request.json", warn = FALSE), collapse = "") # jsonlite::fromJSON reads seed and settings
  if (!grepl('"contract":1,', request, fixed = TRUE)) stop("this method follows version 1 of the contract")
  train <- read.csv("X_train.csv", header = FALSE) # columns V1, V2, …
  new <- read.csv("X_test.csv", header = FALSE)
  train$y <- scan("y_train.csv", quiet = TRUE)
  fit <- lm(y ~ ., data = train) # put your own method here
  at <- suppressWarnings(predict(fit, new, se.fit = TRUE))
  writeLines(format(at$fit, digits = 17, trim = TRUE), "mean.csv")
  writeLines(format(at$se.fit^2 + at$residual.scale^2, digits = 17, trim = TRUE), "variance.csv")
  cat('{"contract": 1, "form": "gaussian", "mean": "mean.csv", "variance": "variance.csv"}', file = "response.json")
}
