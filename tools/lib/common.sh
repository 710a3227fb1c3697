# shellcheck shell=bash
# Sources everything in tools/lib in one line:  source "$(dirname "${BASH_SOURCE[0]}")/lib/common.sh"

# The package's root, and the folder for what the scripts install or store (ignored by git).
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tools_state=$project/.tools

# shellcheck source=tools/lib/log.sh
source "$project/tools/lib/log.sh"
# shellcheck source=tools/lib/lock.sh
source "$project/tools/lib/lock.sh"
# shellcheck source=tools/lib/checks.sh
source "$project/tools/lib/checks.sh"
# shellcheck source=tools/lib/bench.sh
source "$project/tools/lib/bench.sh"
# shellcheck source=tools/lib/packages.sh
source "$project/tools/lib/packages.sh"
# shellcheck source=tools/lib/foreign.sh
source "$project/tools/lib/foreign.sh"
# shellcheck source=tools/lib/swift.sh
source "$project/tools/lib/swift.sh"
# shellcheck source=tools/lib/unpacked.sh
source "$project/tools/lib/unpacked.sh"
# shellcheck source=tools/lib/version.sh
source "$project/tools/lib/version.sh"
# shellcheck source=tools/lib/venv.sh
source "$project/tools/lib/venv.sh"
# shellcheck source=tools/lib/counterparts.sh
source "$project/tools/lib/counterparts.sh"
