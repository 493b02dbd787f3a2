"""Cover search: which records to give up, so that all the others can be linked at once."""
