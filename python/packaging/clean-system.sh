#!/usr/bin/env bash
# Try a wheel in a Debian 11 with Python 3.9 and nothing else: the time from `pip install` to a result, and a cheap trial of every method
# again with that system's own library of mathematics. `clean-system.sh WHEEL [FOLDER]`; needs root and mmdebstrap.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=${2:-target/bullseye}
[ -d "$root/usr" ] || mmdebstrap --quiet --variant=minbase --include=python3,python3-pip,python3-venv bullseye "$root"
rm -rf "$root/try"
mkdir -p "$root/try"
cp "$1" "$root/try/"
cp reports/packs/*.pack "$root/try/"
cp python/packaging/in-clean-system.sh "$root/try/"
# The program finds itself there.
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
trap 'umount "$root/proc"' EXIT
# pip's own settings of this machine, where it has some.
settings=$(env | grep -E '^(PIP_|HTTPS?_PROXY|https?_proxy|NO_PROXY|no_proxy)' || true)
for file in /etc/resolv.conf /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do [ ! -f "$file" ] || cp "$file" "$root$file"; done
mapfile -t variables <<<"$settings"
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 ${settings:+"${variables[@]}"} chroot "$root" bash /try/in-clean-system.sh
