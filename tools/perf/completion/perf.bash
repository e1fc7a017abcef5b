# SPDX-License-Identifier: GPL-2.0-only
# Completion of perf for bash. Needs no other package; with bash-completion, a command that is
# recorded is completed as if it stood alone.
#
# What there is to choose from is asked of the perf that is being typed: --list-cmds, --list-opts,
# --list-values and --list-events, so that options are never told that it does not have.

# Asks it; nothing must get to the terminal.
__perf_ask() {
	local perf=${words[0]}
	[[ $perf != \~/* ]] || perf=$HOME/${perf#\~/}
	"$perf" "$@" 2>/dev/null </dev/null
}

# __perf_offer WORD...: those that begin with what was typed. bash replaces the part behind the last
# character that divides words for it, so no more than that is given.
__perf_offer() {
	local divider keep= rest word
	for divider in = :; do
		[[ $COMP_WORDBREAKS == *"$divider"* && $cur == *"$divider"* ]] || continue
		rest=${cur##*"$divider"}
		((${#cur} - ${#rest} <= ${#keep})) || keep=${cur%"$rest"}
	done
	for word; do
		[[ $word != "$cur"* ]] || COMPREPLY+=("${word#"$keep"}")
	done
}

# The same for the last one of a list with commas.
__perf_offer_list() {
	local done= item=${cur##*[,\{]} all=()
	done=${cur%"$item"}
	for word; do all+=("$done$word"); done
	__perf_offer "${all[@]}"
	compopt -o nospace 2>/dev/null
}

__perf_files() {
	compopt -o default 2>/dev/null
	COMPREPLY=()
}

# __perf_value COMMAND OPTION: a value of it. Fails when it is not known what these look like.
__perf_value() {
	local before=
	case $1:$2 in
	record:-e | record:--event | record:--switch-output-event | stat:-e | stat:--event | top:-e | top:--event)
		__perf_offer_list $(__perf_ask --list-events) ;;
	*:-p | *:--pid | record:-t | record:--tid | stat:-t | stat:--tid | top:-t | top:--tid)
		__perf_offer_list $(cd /proc && echo [0-9]*) ;;
	record:-u | record:--uid | top:-u | top:--uid)
		__perf_offer $(compgen -u) ;;
	*:-C | *:--cpu)
		__perf_offer_list $(cd /sys/devices/system/cpu 2>/dev/null && echo cpu[0-9]* | sed 's/cpu//g') ;;
	record:--call-graph) __perf_offer fp fp,defer dwarf no ;;
	record:--activity) __perf_offer otel labels tls: ;;
	record:--defer) __perf_offer auto kernel copy bpf ;;
	record:-k | record:--clockid) __perf_offer monotonic monotonic_raw realtime boottime tai ;;
	record:--affinity) __perf_offer sys node cpu ;;
	record:--synth) __perf_offer_list no all task mmap cgroup ;;
	record:-F | record:--freq) __perf_offer max ;;
	report:-g | report:--call-graph)
		__perf_offer_list graph fractal flat folded none caller callee function address percent period count ;;
	report:-s | report:--sort) __perf_offer_list comm dso sym pid tid cpu srcline srcfile \
			symoff trace activity state waker wakers parallelism syscall object whole \
			time tgid comm_nodigit symbol_size \
			symbol_daddr dso_daddr mem snoop tlb locked blocked local_weight ;;
	data:--to) __perf_offer folded pprof gecko speedscope html svg otlp json ;;
	report:--percentage) __perf_offer relative absolute ;;
	report:--pretty) __perf_offer normal raw ;;
	script:-F | script:--fields)
		__perf_offer_list comm tid pid time cpu event trace ip sym dso dsoff addr symoff srcline \
			period iregs uregs raw weight misc phys_addr bpf-output activity whole ;;
	*:--unwind) __perf_offer_list sframe eh_frame fp libdw ;;
	*:--symfs | *:--buildid-dir | *:--debugfs-dir | *:--exec-path)
		compopt -o dirnames -o plusdirs 2>/dev/null ;;
	*:-i | *:--input | *:-o | *:--output | report:--html | report:--svg | data:--to-json | *:-k | *:--vmlinux | *:--kallsyms) __perf_files ;;
	*) return 1 ;;
	esac
}

# Is $1 one of the words behind it?
__perf_among() {
	local word=$1
	shift
	[[ " $* " == *" $word "* ]]
}

# Of a command that runs another one (record, stat): the place of that, or 0.
__perf_workload_at() {
	local i values=$(__perf_ask "$1" --list-values)
	for ((i = $2 + 1; i < cword; i++)); do
		case ${words[i]} in
		--) echo $((i + 1)) && return ;;
		-*) __perf_among "${words[i]}" $values && ((i++)) ;;
		*) echo "$i" && return ;;
		esac
	done
	# The word that is being typed, if it is no value.
	[[ $i = "$cword" && $cur != -* ]] && echo "$i" && return
	echo 0
}

__perf_of_command() { # COMMAND PLACE
	local command=$1 at opt
	case $command in
	record | stat)
		at=$(__perf_workload_at "$command" "$2")
		if ((at)); then
			if declare -F _command_offset >/dev/null; then
				_command_offset "$at"
			elif ((at == cword)); then
				COMPREPLY=($(compgen -c -- "$cur"))
			else
				__perf_files
			fi
			return
		fi
		;;
	esac
	if [[ $cur == --*=* ]]; then
		opt=${cur%%=*}
		# What is completed is the value alone, if '=' divides.
		local cur=${cur#*=}
		__perf_value "$command" "$opt"
		[[ $COMP_WORDBREAKS == *=* ]] || COMPREPLY=("${COMPREPLY[@]/#/$opt=}")
		return 0
	fi
	__perf_value "$command" "$prev" && return
	if [[ $cur == -* ]]; then
		__perf_offer $(__perf_ask "$command" --list-opts) --help
		return
	fi
	case $command in
	help) __perf_offer $(__perf_ask --list-cmds) ;;
	test)
		__perf_offer $(__perf_ask test list | sed -n 's/^\([^ ]*\):$/\1/p; s/^ *[0-9]*: *\([^ ]*\).*/\1/p') list ;;
	*)
		((cword != $2 + 1)) || __perf_offer $(__perf_ask "$command" --list-cmds)
		((${#COMPREPLY[@]})) || __perf_files
		;;
	esac
}

_perf() {
	local line=${COMP_LINE:0:COMP_POINT} words cword cur prev i IFS=$' \t\n'
	# By blanks: bash itself also divides at '=' and ':'.
	read -ra words <<<"$line"
	[[ $line == *[[:blank:]] ]] && words+=('')
	cword=$((${#words[@]} - 1))
	cur=${words[cword]}
	prev=${words[cword - 1]}
	COMPREPLY=()
	for ((i = 1; i < cword; i++)); do
		case ${words[i]} in
		--debug | --debugfs-dir | --buildid-dir) ((i++)) ;;
		-*) ;;
		*)
			__perf_of_command "${words[i]}" "$i"
			return
			;;
		esac
	done
	if [[ $cur == -* ]]; then
		__perf_offer $(__perf_ask --list-opts)
	elif ! __perf_value '' "$prev"; then
		__perf_offer $(__perf_ask --list-cmds)
	fi
}

complete -F _perf perf
