"""What a study is asked for: settings, data, protections and matchings, and the cells that they make up."""
