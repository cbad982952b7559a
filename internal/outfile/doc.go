package outfile
