"""Line search: better parameters along straight lines, each line searched exactly."""
