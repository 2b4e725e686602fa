// Ceph in one folder of this machine: a monitor, a manager, three OSDs and the S3 gateway, each a
// process that can be killed. Needs root and Debian's ceph-mon, ceph-mgr, ceph-osd and radosgw.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { endOf } from '../helpers/child.ts'
import { ownPort } from '../helpers/own-port.ts'
import { patient } from '../helpers/patience.ts'
import { until } from '../helpers/until.ts'

export const cephPrograms = ['ceph', 'ceph-mon', 'ceph-mgr', 'ceph-osd', 'radosgw']
const osdCount = 3
const startMsMax = patient(120_000)
const gibibyte = 1024 ** 3

export interface Ceph {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Kills an OSD. Objects stay writable with two of three. */
  killOsd(place: number): Promise<void>
  startOsd(place: number): void
  /** MB/s of 64 KiB writes and reads of objects without the gateway: `rados bench`. */
  bench(seconds: number): { write: number; read: number }
  stop(): Promise<void>
}

export async function startCeph(parent: string): Promise<Ceph> {
  const folder = path.join(parent, 'ceph')
  mkdirSync(folder)
  const settings = path.join(folder, 'ceph.conf')
  const monitors = `[v2:127.0.0.1:${ownPort()},v1:127.0.0.1:${ownPort()}]`
  const id = randomUUID()
  const endpoint = `http://127.0.0.1:${ownPort()}`
  writeFileSync(settings, settingsOf({ folder, id, monitors, port: new URL(endpoint).port }))
  const run = (program: string, args: string[], input = '') => {
    const done = spawnSync(program, ['-c', settings, ...args], {
      cwd: folder,
      input,
      encoding: 'utf8',
      timeout: startMsMax,
    })
    if (done.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${done.stderr}`)
    return done.stdout
  }
  const keep = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
  const keyOf = (name: string, ...rights: string[]) => {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true })
    keep(name, run('ceph', ['auth', 'get-or-create', rights[0]!, ...rights.slice(1)]))
  }
  const processes = new Map<string, ChildProcess>()
  const begin = (program: string, kind: string, place: string) => {
    const args = ['-c', settings, '-f', kind === 'rgw' ? '-n' : '-i']
    const name = kind === 'rgw' ? `client.rgw.${place}` : place
    const child = spawn(program, [...args, name], { cwd: folder, stdio: 'ignore' })
    processes.set(`${kind}.${place}`, child)
  }

  // The keys of the monitor and of the administrator, with which the others are made.
  const all = ['mon', 'osd', 'mgr'].flatMap((one) => ['--cap', one, 'allow *'])
  const admin = ['-C', 'client.admin.keyring', '--gen-key', '-n', 'client.admin']
  run('ceph-authtool', [...admin, ...all])
  const monitor = ['-C', 'mon.keyring', '--gen-key', '-n', 'mon.']
  run('ceph-authtool', [...monitor, '--cap', 'mon', 'allow *'])
  run('ceph-authtool', ['mon.keyring', '--import-keyring', 'client.admin.keyring'])
  run('monmaptool', ['--create', '--fsid', id, '--addv', 'a', monitors, 'monmap'])
  run('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', 'mon.keyring'])
  begin('ceph-mon', 'mon', 'a')
  keyOf('mgr.a/keyring', 'mgr.a', 'mon', 'allow profile mgr', 'osd', 'allow *')
  begin('ceph-mgr', 'mgr', 'a')
  for (let place = 0; place < osdCount; place += 1) {
    const uuid = randomUUID()
    run('ceph', ['osd', 'new', uuid, String(place)])
    keyOf(`osd.${place}/keyring`, `osd.${place}`, 'mon', 'allow profile osd', 'osd', 'allow *')
    run('ceph-osd', ['-i', String(place), '--mkfs', '--osd-uuid', uuid])
    begin('ceph-osd', 'osd', String(place))
  }
  keyOf('client.rgw.a.keyring', 'client.rgw.a', 'mon', 'allow rw', 'osd', 'allow rwx')
  begin('radosgw', 'rgw', 'a')
  const answers = () =>
    fetch(endpoint).then(
      ({ ok }) => ok,
      () => false,
    )
  await until('the gateway answers', answers, startMsMax)
  const keys = { accessKeyId: 'testkey', secretAccessKey: 'testsecret' }
  const account = ['--uid=t', '--display-name=t', `--access-key=${keys.accessKeyId}`]
  run('radosgw-admin', ['user', 'create', ...account, `--secret-key=${keys.secretAccessKey}`])
  const end = async (name: string) => {
    const child = processes.get(name)!
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = endOf(child)
    child.kill('SIGKILL')
    await ended
  }
  return {
    endpoint,
    ...keys,
    killOsd: (place) => end(`osd.${place}`),
    startOsd: (place) => begin('ceph-osd', 'osd', String(place)),
    bench(seconds) {
      run('ceph', ['osd', 'pool', 'create', 'bench', '8'])
      const speed = (...kind: string[]) => {
        const said = run('rados', ['bench', '-p', 'bench', String(seconds), ...kind])
        return Number(/^Bandwidth \(MB\/sec\): +([\d.]+)/m.exec(said)?.[1])
      }
      return { write: speed('write', '--no-cleanup'), read: speed('seq') }
    },
    async stop() {
      for (const name of processes.keys()) await end(name)
    },
  }
}

interface Place {
  readonly folder: string
  readonly id: string
  readonly monitors: string
  readonly port: string
}

/** Three copies of each object, of which two must be there to write. */
function settingsOf({ folder, id, monitors, port }: Place): string {
  const options = {
    fsid: id,
    mon_initial_members: 'a',
    mon_host: monitors,
    public_network: '127.0.0.0/8',
    admin_socket: `${folder}/$type.$id.asok`,
    pid_file: '',
    log_file: `${folder}/$type.$id.log`,
    run_dir: folder,
    mon_data: `${folder}/mon.$id`,
    mgr_data: `${folder}/mgr.$id`,
    osd_data: `${folder}/osd.$id`,
    mgr_initial_modules: '',
    mon_data_avail_crit: 1,
    mon_data_avail_warn: 1,
    mon_allow_pool_delete: true,
    auth_allow_insecure_global_id_reclaim: false,
    osd_pool_default_size: osdCount,
    osd_pool_default_min_size: 2,
    osd_pool_default_pg_num: 8,
    osd_crush_chooseleaf_type: 0,
    osd_memory_target: gibibyte,
    bluestore_block_size: 4 * gibibyte,
    // The seconds until the others notice a killed OSD (20).
    osd_heartbeat_grace: 6,
    mon_osd_min_down_reporters: 1,
    rgw_frontends: `beast endpoint=127.0.0.1:${port}`,
  }
  const lines = Object.entries(options).map(([name, value]) => `${name} = ${value}`)
  return `[global]\n${lines.join('\n')}\n[client]\nkeyring = ${folder}/$name.keyring\n`
}
