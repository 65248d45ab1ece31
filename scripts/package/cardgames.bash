_cardgames_completion() {
    local IFS=$'\n'
    local response

    response=$(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD _CARDGAMES_COMPLETE=bash_complete cardgames)

    for completion in $response; do
        IFS=',' read type value <<< "$completion"

        if [[ $type == 'dir' ]]; then
            COMPREPLY=()
            compopt -o dirnames 2>/dev/null
        elif [[ $type == 'file' ]]; then
            COMPREPLY=()
            compopt -o default 2>/dev/null
        elif [[ $type == 'plain' ]]; then
            COMPREPLY+=($value)
        fi
    done

    return 0
}

_cardgames_completion_setup() {
    complete -o nosort -F _cardgames_completion cardgames 2>/dev/null || complete -o default -F _cardgames_completion cardgames
}

_cardgames_completion_setup;

