# bash completion for arrowagg
#
# The program itself knows what could stand at the cursor: `arrowagg __complete
# WORD… TYPED` prints a line for each, a tab and a word about it, and at the end
# a colon and a number that says how to take them. The line is cut into words
# here, and not by readline, which ends a word at every parenthesis and knows
# nothing of one whose quote is still open.

# Cuts $1 into the array words, the last one being typed, and leaves in quote
# the quote that is open at the end. What stands in the line is not evaluated.
_arrowagg_words() {
	local line=$1 word='' in_word='' i c
	words=() quote=''
	for ((i = 0; i < ${#line}; i++)); do
		c=${line:i:1}
		case $quote$c in
		[[:blank:]])
			[[ -n $in_word ]] && words+=("$word")
			word='' in_word=''
			continue
			;;
		\\ | \"\\)
			((++i < ${#line})) || break
			# Between double quotes the backslash stands for itself before most.
			[[ -n $quote && ${line:i:1} != [\\\"\$\`] ]] && word+=\\
			word+=${line:i:1}
			;;
		\' | \") quote=$c ;;
		\'\' | \"\") quote='' ;;
		'~') [[ -z $in_word && ${line:i+1:1} == / ]] && c=$HOME; word+=$c ;;
		*) word+=$c ;;
		esac
		in_word=1
	done
	words+=("$word")
}

# Escapes $1, which goes on behind what was typed, into escaped.
_arrowagg_escape() {
	local i c
	escaped=''
	for ((i = 0; i < ${#1}; i++)); do
		c=${1:i:1}
		case $quote$c in
		[[:alnum:]_.,:=@%+/-] | \'[!\']) ;;
		\'\') c="'\\''" ;;
		? | \"[\\\"\$\`]) c=\\$c ;;
		esac
		escaped+=$c
	done
}

_arrowagg() {
	local words quote after escaped line candidate about i directive=1 longest=0
	local -a candidates=() abouts=()
	# A file that stands behind the cursor tells the columns too.
	line=${COMP_LINE:COMP_POINT}
	_arrowagg_words "${line#"${line%%[[:blank:]]*}"}"
	after=()
	for candidate in "${words[@]}"; do
		[[ -n $candidate && $candidate != -* ]] && after+=("$candidate")
	done
	_arrowagg_words "${COMP_LINE:0:COMP_POINT}"
	local cur=${words[${#words[@]} - 1]}
	[[ $cur == --*=* ]] && cur=${cur#*=}
	while IFS= read -r line; do
		case $line in
		:*) directive=${line#:} ;;
		"$cur"*) candidates+=("${line%%$'\t'*}") abouts+=("${line#*$'\t'}") ;;
		esac
	done < <("${words[0]}" __complete ${after[@]+"${after[@]}"} "${words[@]:1}" 2>/dev/null)
	((directive & 1)) && return
	((directive & 2)) && compopt -o nospace 2>/dev/null
	((directive & 4)) && compopt +o default 2>/dev/null
	((directive & 32)) && compopt -o nosort 2>/dev/null
	COMPREPLY=()
	if ((directive & 16)); then
		compopt -o filenames 2>/dev/null
		while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$2")
		return
	fi
	for candidate in ${candidates[@]+"${candidates[@]}"}; do
		_arrowagg_escape "${candidate:${#cur}}"
		COMPREPLY+=("$2$escaped")
	done
	# A second press of the key lists and does not insert: then the last of a
	# list is enough, and there is room to say what it is.
	if [[ $COMP_TYPE == 63 ]] && ((${#candidates[@]} > 1)); then
		local head=${cur%"${cur##*[,(]}"}
		COMPREPLY=()
		for candidate in "${candidates[@]}"; do
			candidate=${candidate:${#head}}
			((${#candidate} > longest)) && longest=${#candidate}
		done
		for i in "${!candidates[@]}"; do
			candidate=${candidates[i]:${#head}} about=${abouts[i]}
			[[ $about == "${candidates[i]}" ]] && about='' || about="  ($about)"
			printf -v line "%-${longest}s%s" "$candidate" "$about"
			COMPREPLY+=("${line:0:${COLUMNS:-80} - 1}")
		done
	fi
}

complete -o default -F _arrowagg arrowagg
