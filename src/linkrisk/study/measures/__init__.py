"""What is measured of a release, one file for each measure: a function of the release, the variant and a seed."""
