# What machines are given: packages, clients, other versions of Node, npm with what it has
# downloaded. Sourced by operations.sh.
# shellcheck shell=bash disable=SC2034,SC2154

node_versions='20.19 22 24 26'
tools=$scratch/tools/upper

prepare_tools() {
  local packages=${PACKAGES:-}
  if [ -z "$packages" ]; then
    package_clone "$scratch/clone" >"$scratch/log" 2>&1 || {
      tail -n 20 "$scratch/log"
      return 1
    }
    packages=$scratch/clone/packages
  fi
  mkdir -p "$tools"/{root/packages,root/bin,opt/operations,opt/nodes,usr/local/bin,etc/apt}
  mkdir -p "$tools/usr/local/lib/node_modules" "$tools/etc/apt/apt.conf.d"
  cp "$packages"/* "$tools/root/packages/"
  cp "$here"/{inside.sh,scenes.sh,traffic.mjs} "$tools/opt/operations/"
  # Machines have no network.
  echo 'Acquire::Retries "0";' >"$tools/etc/apt/apt.conf.d/test-machine"
  printf '127.0.0.1 localhost machine files.example.org raspberrypi.local\n::1 localhost\n' \
    >"$tools/etc/hosts"
  make_next_version "$tools/root/packages"
  copy_clone "$tools/root/clone"
  prepare_npm "$tools/root/packages"
  make_stand_ins
  chmod 700 "$tools/root"
}

# Makes the packages in a clone.
package_clone() {
  copy_clone "$1"
  mkdir "$1/node_modules"
  cp -a "$repository/node_modules/." "$1/node_modules/"
  SOURCE_DATE_EPOCH=$(git -c safe.directory='*' -C "$repository" log -1 --format=%ct)
  export SOURCE_DATE_EPOCH
  (cd "$1" && npm run --silent package)
}

# The same bytes from another folder, with other permissions.
compare_packages() {
  local clone="$scratch/another clone" file
  (umask 077 && package_clone "$clone")
  for file in "$clone"/packages/*; do cmp "$file" "$scratch/clone/packages/${file##*/}"; done
  rm -r "$clone"
}

# The same package as of another version.
make_next_version() {
  local file next=$scratch/next
  file=$(ls "$1"/*_1.0.0_*.deb)
  dpkg-deb --raw-extract "$file" "$next"
  sed -i 's/^Version: .*/Version: 1.1.0/' "$next/DEBIAN/control"
  sed -i 's/"version": "1.0.0"/"version": "1.1.0"/' "$next/usr/lib/transfer-service/package.json"
  dpkg-deb --root-owner-group -Znone --build "$next" "${file/1.0.0/1.1.0}" >/dev/null
  rm -r "$next"
}

# npm as it is here, with its cache; the service without the Debian package; other versions of Node.
prepare_npm() {
  local program cache major
  local -a nodes=()
  program=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
  cp -a "$program" "$tools/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$tools/usr/local/bin/npm"
  npm install --global --globalconfig "$(npm config get globalconfig)" \
    --prefix "$tools/opt/packed" "$1"/*.tgz >/dev/null 2>&1
  for major in $node_versions; do
    nodes+=("node-$major@npm:node-linux-$(node -p process.arch)@$major")
  done
  npm install --prefix "$scratch/nodes" --no-save "${nodes[@]}" >/dev/null 2>&1
  for major in $node_versions; do
    install -D "$scratch/nodes/node_modules/node-$major/bin/node" "$tools/opt/nodes/$major/node"
  done
  rm -r "$scratch/nodes"
  cache=$(npm config get cache)
  mkdir "$tools/root/npm-cache"
  cp -a "$cache/_cacache" "$tools/root/npm-cache/"
}

# Programs in place of other machines, and of an editor.
make_stand_ins() {
  cat >"$tools/root/bin/ssh" <<'END'
#!/bin/sh
mkdir -p /root/other && cd /root/other && shift && exec sh -c "$*"
END
  cat >"$tools/root/bin/scp" <<'END'
#!/bin/sh
case $2 in pi@*:) exec cp "$1" /home/pi/ ;; root@*:) exec cp "$1" /root/ ;; esac
exit 1
END
  cat >"$tools/root/bin/nano" <<'END'
#!/bin/sh
printf '%s\n' "$TYPED" >"$1"
END
  # Signs the certificate itself, and puts it into the server like certbot's plugin for nginx.
  cat >"$tools/root/bin/certbot" <<'END'
#!/bin/bash
set -e
[ "$1 $2" = '--nginx -d' ]
live=/etc/letsencrypt/live/$3
install -d -m 700 /etc/letsencrypt/live "$live"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 60 \
  -subj "/CN=$3" -addext "subjectAltName=DNS:$3" \
  -keyout "$live/privkey.pem" -out "$live/fullchain.pem" 2>/dev/null
sed -i "s|.*server_name $3;|&\n\tlisten 443 ssl;\n\tssl_certificate $live/fullchain.pem;\n\tssl_certificate_key $live/privkey.pem;|" \
  /etc/nginx/conf.d/*.conf
nginx -t
systemctl reload nginx
END
  chmod 755 "$tools"/root/bin/*
}
