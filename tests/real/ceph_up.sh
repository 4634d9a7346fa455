#!/bin/bash
# ceph_up.sh DIR - starts a throw-away Ceph with a radosgw in the empty or new folder DIR, on free
# ports of 127.0.0.1: one mon, one mgr, one OSD that keeps everything in memory. Writes DIR/env with
# ENDPOINT, ACCESS_KEY, SECRET_KEY and CEPH_CONF to be sourced; ceph_down.sh DIR stops it.
# Every wait is bounded; on failure all is stopped again and the reason is one line on stderr.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
[ $# = 1 ] || { echo "usage: ceph_up.sh DIR" >&2; exit 2; }
mkdir -p "$1" && dir=$(cd "$1" && pwd -P) || exit 2
# A Unix socket's path has 108 bytes, and the daemons put theirs into DIR.
[ ${#dir} -le 70 ] || { echo "ceph_up: the path $dir is too long for sockets" >&2; exit 2; }
[ ! -e "$dir/ceph.conf" ] || { echo "ceph_up: $dir is in use" >&2; exit 2; }
conf=$dir/ceph.conf
wait_seconds=180  # on a busy machine each daemon takes its time
mkdir -p "$dir"/{pid,log,mon,mgr,osd,rgw}

die() {
  echo "ceph_up: $*" >&2
  "$here/ceph_down.sh" "$dir"
  exit 1
}

# Below the kernel's range for outgoing connections, so that none of those can take them.
free_ports() {
  /usr/bin/python3 - "$1" <<'PYTHON'
import random, socket, sys
found = []
while len(found) < int(sys.argv[1]):
    with socket.socket() as probe:
        port = random.randrange(18000, 31000)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            continue
        if port not in found:
            found.append(port)
print(*found)
PYTHON
}

# start NAME COMMAND...: in a session of its own, its pid in DIR/pid/NAME.
start() {
  local name=$1
  shift
  setsid "$@" >"$dir/log/$name.out" 2>&1 </dev/null &
  echo $! >"$dir/pid/$name"
}

# until_true NAME COMMAND...: polls while daemon NAME lives.
until_true() {
  local name=$1 tries=$((wait_seconds * 20))
  shift
  while ! "$@" >/dev/null 2>&1; do
    kill -0 "$(cat "$dir/pid/$name")" 2>/dev/null ||
      die "$name ended: $(tail -n 1 "$dir/log/$name.out")"
    [ $((tries -= 1)) -gt 0 ] || die "$name did not answer within $wait_seconds s"
    sleep 0.05
  done
}

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1"); }
bounded() { timeout -k 2 "$wait_seconds" "$@"; }

read -r mon_port rgw_port daemon_port < <(free_ports 3)
fsid=$(cat /proc/sys/kernel/random/uuid)
access_key=LOADLINETESTKEY00001
secret_key=loadline+test/secret0000000000000000001=

mgr_modules=$(find /usr/share/ceph/mgr -mindepth 1 -maxdepth 1 -type d -printf '%f,')

# auth none: nothing but this machine can reach it. The mgr runs without its Python modules, which
# would take seconds to load. mgr and OSD look for free ports from daemon_port on.
cat >"$conf" <<EOF
[global]
fsid = $fsid
mon host = [v2:127.0.0.1:$mon_port]
public addr = 127.0.0.1
ms bind msgr1 = false
ms bind port min = $daemon_port
ms bind port max = $((daemon_port + 200))
auth cluster required = none
auth service required = none
auth client required = none
keyring = $dir/keyring
run dir = $dir
log file = $dir/log/\$name.log
mon cluster log file = $dir/log/cluster.log
setuser match path = $dir
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
debug ms = 0/0
debug rgw = 0/0
debug osd = 0/0
debug mon = 0/0
[mon]
mon data = $dir/mon
mon allow pool size one = true
mon max pg per osd = 1000
mon data avail crit = 1
paxos propose interval = 0.05
paxos min wait = 0.01
auth allow insecure global id reclaim = false
[mgr]
mgr data = $dir/mgr
mgr initial modules =
mgr disabled modules = $mgr_modules
[osd]
osd data = $dir/osd
osd objectstore = memstore
memstore device bytes = 6442450944
memstore page set = false
osd class update on start = false
osd scrub min interval = 31536000
osd deep scrub interval = 31536000
[client.rgw.test]
rgw data = $dir/rgw
# The default asks for encryption, which auth none cannot give.
ms mon client mode = crc
rgw frontends = beast endpoint=127.0.0.1:$rgw_port tcp_nodelay=1
rgw thread pool size = 64
rgw enable apis = s3, admin
rgw override bucket index max shards = 1
rgw dynamic resharding = false
rgw enable lc threads = false
rgw run sync thread = false
rgw gc obj min wait = 1
rgw gc processor period = 1
EOF
: >"$dir/keyring"

osd_uuid=$(cat /proc/sys/kernel/random/uuid)
{
  monmaptool --create --fsid "$fsid" --addv a "[v2:127.0.0.1:$mon_port]" "$dir/monmap" &&
    ceph-mon -c "$conf" -i a --mkfs --monmap "$dir/monmap" &&
    ceph-osd -c "$conf" -i 0 --mkfs --no-mon-config --osd-uuid "$osd_uuid"
} >"$dir/log/mkfs.out" 2>&1 || die "mkfs: $(tail -n 1 "$dir/log/mkfs.out")"

start mon ceph-mon -f -c "$conf" -i a
until_true mon listens "$mon_port"
start mgr ceph-mgr -f -c "$conf" -i x
bounded ceph -c "$conf" osd new "$osd_uuid" 0 >"$dir/log/osd_new.out" 2>&1 ||
  die "osd new: $(tail -n 1 "$dir/log/osd_new.out")"
start osd ceph-osd -f -c "$conf" -i 0
# Makes the pools it needs, and so waits for the OSD.
bounded radosgw-admin -c "$conf" -n client.rgw.test user create --uid=loadline \
  --display-name=loadline --access-key="$access_key" --secret-key="$secret_key" \
  --caps="buckets=read" \
  >"$dir/log/user.out" 2>&1 || die "user create: $(tail -n 1 "$dir/log/user.out")"
start rgw radosgw -f -c "$conf" -n client.rgw.test
until_true rgw curl -sf -o /dev/null --max-time 2 "http://127.0.0.1:$rgw_port/"

cat >"$dir/env" <<EOF
ENDPOINT=http://127.0.0.1:$rgw_port
ACCESS_KEY=$access_key
SECRET_KEY='$secret_key'
CEPH_CONF=$conf
EOF
