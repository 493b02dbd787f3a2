"""One to one: from log-likelihoods of pairs to the posterior over matchings, its best assignment and the ceiling.

`scores` holds the log-likelihoods of pairs; `problem` finds the pairs that occur in any matching; `belief` and `chain`
compute the probability of each pair, `posterior` picks one of them; `assignment` and `link` link by these
probabilities; `bayes` says how many links any intruder can expect. `temperature` makes a likelihood of a distance.
"""
