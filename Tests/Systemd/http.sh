# shellcheck shell=bash
# Speaks HTTP/1.1 with a server of this machine, with the shell alone: the small Debian has no client.

# Where the server listens.
http_host=127.0.0.1 http_port=8090

# http METHOD PATH [TYPE FILE [HEADER…]]: asks, sends the file, and keeps cookies. Sets `http_status`; the answer is in
# the files answer.head and answer.body.
http() {
    local method=$1 path=$2 type=${3:-} file=${4:-/dev/null} connection header
    shift $(($# < 4 ? $# : 4))
    exec {connection}<>"/dev/tcp/$http_host/$http_port" || give_up "no connection to port $http_port"
    {
        printf '%s %s HTTP/1.1\r\nHost: %s:%s\r\nConnection: close\r\n' "$method" "$path" "$http_host" "$http_port"
        [[ ! -s cookies ]] || printf 'Cookie: %s\r\n' "$(paste -s -d ';' cookies)"
        for header in "$@"; do printf '%s\r\n' "$header"; done
        [[ $method == GET ]] || printf 'Content-Type: %s\r\nContent-Length: %s\r\n' "$type" "$(stat -Lc %s "$file")"
        printf '\r\n'
        [[ $method == GET ]] || cat "$file"
    } >&"$connection"
    cat <&"$connection" >answer
    exec {connection}>&-
    sed '/^\r$/q' answer | tr -d '\r' >answer.head
    sed '1,/^\r$/d' answer >answer.body
    http_status=$(sed -n '1s/^HTTP[^ ]* \([0-9]*\).*/\1/p' answer.head)
    # Each name's newest value.
    { sed -n 's/^[Ss]et-[Cc]ookie: \([^;]*\).*/\1/p' answer.head; cat cookies 2>/dev/null || true; } |
        awk -F= '!seen[$1]++' >cookies.new
    mv cookies.new cookies
}

# http_form PATH NAME=VALUE…: posts a form, with the token of the last page. Values are sent as they are.
http_form() {
    local path=$1 IFS='&'
    shift
    printf '%s' "csrf=$(http_token)&$*" >form
    http POST "$path" application/x-www-form-urlencoded form
}

# http_file PATH FIELD FILE TYPE: posts a file as a browser does.
http_file() {
    local path=$1 field=$2 file=$3 type=$4 token
    token=$(http_token)
    {
        printf -- '--x-boundary\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n%s\r\n' "$token"
        printf -- '--x-boundary\r\nContent-Disposition: form-data; name="%s"; filename="%s"\r\n' "$field" "${file##*/}"
        printf 'Content-Type: %s\r\n\r\n' "$type"
        cat "$file"
        printf '\r\n--x-boundary--\r\n'
    } >form
    http POST "$path" 'multipart/form-data; boundary=x-boundary' form "X-CSRF-Token: $token" 'Accept: application/json'
}

# The token against requests of other sites, from the last page that had one.
http_token() {
    local token
    token=$(grep -o 'name="csrf" [a-z]*="[^"]*"' answer.body | head -n 1 | sed 's/.*="//; s/"$//')
    [[ -z $token ]] || echo "$token" >token
    cat token
}
