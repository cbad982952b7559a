#!/bin/sh
# Fails unless the fixtures still merge to the committed table, byte for byte,
# and shows the lines that changed. A new golden file: cp merged.csv golden.csv
set -eu
arrowagg --strict -o merged.csv fixtures/*.arrows
diff -u golden.csv merged.csv
