# fish completion for arrowagg
#
# The program itself knows what could stand at the cursor: `arrowagg __complete
# WORD… TYPED` prints a line for each, a tab and a word about it, and at the end
# a colon and a number that says how to take them.

# Asks it. False where fish should complete files.
function __arrowagg_ask
	set -g __arrowagg_answer
	set -l before (commandline -opc)
	set -l typed (commandline -ct)
	set -l known
	for word in $before[2..-1]
		set -a known (string replace -r '^~/' "$HOME/" -- $word)
	end
	if string match -qr '^[\'"]' -- $typed
		set typed (string sub -s 2 -- $typed)
	else
		set typed (string unescape -- $typed)
	end
	set -l answer ($before[1] __complete $known "$typed" 2>/dev/null)
	set -l directive (string replace : '' -- $answer[-1])
	string match -qr '^[0-9]+$' -- $directive; or return 1
	test (math "bitand($directive, 1)") -eq 0; or return 0
	if test (math "bitand($directive, 16)") -ne 0
		set -g __arrowagg_answer (__fish_complete_directories $typed)
		return 0
	end
	# The candidates for --flag=VALUE are values; fish wants whole words.
	set -l flag (string match -r -- '^--[^=]*=' $typed)
	set -g __arrowagg_answer $answer[1..-2]
	set -q flag[1]; and set -g __arrowagg_answer $flag$answer[1..-2]
	test (count $answer) -gt 1; or test (math "bitand($directive, 4)") -ne 0
end

complete -c arrowagg -e
complete -c arrowagg -n __arrowagg_ask -f -k -a '$__arrowagg_answer'
