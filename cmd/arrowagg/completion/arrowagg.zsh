#compdef arrowagg
# zsh completion for arrowagg
#
# The program itself knows what could stand at the cursor: `arrowagg __complete
# WORD… TYPED` prints a line for each, a tab and a word about it, and at the end
# a colon and a number that says how to take them.

_arrowagg() {
	local -a known answer candidates shown space
	local line typed head directive longest=0
	# A file that stands behind the cursor tells the columns too.
	for line in "${(@Q)words[CURRENT+1,-1]}"; do
		[[ -n $line && $line != -* ]] && known+=("${line/#\~\//$HOME/}")
	done
	for line in "${(@Q)words[2,CURRENT-1]}"; do
		known+=("${line/#\~\//$HOME/}")
	done
	typed=${(Q)PREFIX}
	answer=("${(@f)$("${(Q)words[1]/#\~\//$HOME/}" __complete "${known[@]}" "$typed" 2>/dev/null)}")
	directive=${answer[-1]#:}
	[[ $directive == <-> ]] || return 1
	(( directive & 1 )) && return 1
	(( directive & 16 )) && { _files -/; return }
	answer[-1]=()
	if (( ! $#answer )); then
		(( directive & 4 )) || _files
		return
	fi
	if [[ $typed == --*=* ]]; then
		compset -P '*='
		typed=${typed#*=}
	fi
	# Of a list only the last is shown.
	head=${typed%"${typed##*[,(]}"}
	for line in "${answer[@]}"; do
		candidates+=("${line%%$'\t'*}")
		line=${candidates[-1]:$#head}
		(( $#line > longest )) && longest=$#line
	done
	for line in "${answer[@]}"; do
		if [[ $line == *$'\t'* ]]; then
			line="${(r:longest:)${${line%%$'\t'*}:$#head}}  -- ${line#*$'\t'}"
		else
			line=${line:$#head}
		fi
		shown+=("${line[1,COLUMNS-1]}")
	done
	(( directive & 2 )) && space=(-S '')
	compadd -l -V arrowagg "${space[@]}" -d shown -a candidates
}

# As a file in fpath this is the function's body, else it is being sourced.
if [[ $funcstack[1] == _arrowagg ]]; then
	_arrowagg "$@"
else
	compdef _arrowagg arrowagg
fi
