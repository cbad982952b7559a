package groupby
