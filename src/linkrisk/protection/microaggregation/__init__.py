"""What methods of microaggregation share: records as points, clusters of them, and what stands for a cluster."""
