"""What a survey adds to an assessment: households, risk by region, sampling weights, categorical keys."""
