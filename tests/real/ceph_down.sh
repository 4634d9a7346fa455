#!/bin/bash
# ceph_down.sh DIR - stops what ceph_up.sh DIR started, by its pids, and takes DIR's data away; the
# logs stay. All of it lives in memory, so nothing is lost that was not going to be: SIGKILL.
set -uo pipefail
[ $# = 1 ] && [ -d "$1" ] || { echo "usage: ceph_down.sh DIR" >&2; exit 2; }
dir=$(cd "$1" && pwd -P)

# ours PID: is it a daemon with our ceph.conf, and not a later process with the same number?
ours() { tr '\0' '\n' <"/proc/$1/cmdline" 2>/dev/null | grep -qxF -- "$dir/ceph.conf"; }

status=0
for file in "$dir"/pid/*; do
  [ -e "$file" ] || continue
  pid=$(cat "$file")
  if ours "$pid"; then
    kill -KILL "$pid"
    for ((i = 0; i < 100; i++)); do ours "$pid" || break; sleep 0.05; done
    ! ours "$pid" || { echo "ceph_down: $(basename "$file") ($pid) did not end" >&2; status=1; }
  fi
  rm -f "$file"
done
rm -rf "${dir:?}"/{mon,mgr,osd,rgw,pid,monmap,keyring,ceph.conf,env} "$dir"/*.asok
exit $status
