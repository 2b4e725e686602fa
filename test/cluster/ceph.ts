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
  pids(): number[]
  stop(): Promise<void>
}

/** Objects have three copies, two of which are needed to write, unless a test needs the space. */
export interface CephSize {
  readonly copies?: 1 | 3
  readonly gibibytes?: number
}

export async function startCeph(parent: string, size: CephSize = {}): Promise<Ceph> {
  const endpoint = `http://127.0.0.1:${ownPort()}`
  const ceph = new Processes(path.join(parent, 'ceph'), new URL(endpoint).port, size)
  await ceph.make()
  const answers = () =>
    fetch(endpoint).then(
      ({ ok }) => ok,
      () => false,
    )
  await until('the gateway answers', answers, startMsMax)
  const keys = { accessKeyId: 'testkey', secretAccessKey: 'testsecret' }
  const account = ['--uid=t', '--display-name=t', `--access-key=${keys.accessKeyId}`]
  ceph.run('radosgw-admin', ['user', 'create', ...account, `--secret-key=${keys.secretAccessKey}`])
  return {
    endpoint,
    ...keys,
    killOsd: (place) => ceph.end(`osd.${place}`),
    startOsd: (place) => ceph.begin('osd', String(place)),
    bench(seconds) {
      ceph.run('ceph', ['osd', 'pool', 'create', 'bench', '8'])
      const speed = (...kind: string[]) => {
        const said = ceph.run('rados', ['bench', '-p', 'bench', String(seconds), ...kind])
        return Number(/^Bandwidth \(MB\/sec\): +([\d.]+)/m.exec(said)?.[1])
      }
      return { write: speed('write', '--no-cleanup'), read: speed('seq') }
    },
    pids: () => ceph.pids(),
    stop: () => ceph.endAll(),
  }
}

class Processes {
  readonly #folder: string
  readonly #settings: string
  readonly #id = randomUUID()
  readonly #monitors = `[v2:127.0.0.1:${ownPort()},v1:127.0.0.1:${ownPort()}]`
  readonly #children = new Map<string, ChildProcess>()

  constructor(folder: string, port: string, size: CephSize) {
    this.#folder = folder
    this.#settings = path.join(folder, 'ceph.conf')
    mkdirSync(folder)
    const place = { folder, id: this.#id, monitors: this.#monitors, port, ...size }
    writeFileSync(this.#settings, settingsOf(place))
  }

  async make(): Promise<void> {
    this.#makeMonitor()
    this.begin('mon', 'a')
    await until('the monitor answers', () => this.run('ceph', ['status']) !== '', startMsMax)
    this.#makeKey('mgr.a/keyring', 'mgr.a', 'mon', 'allow profile mgr', 'osd', 'allow *')
    this.begin('mgr', 'a')
    for (let place = 0; place < osdCount; place += 1) {
      const uuid = randomUUID()
      const name = `osd.${place}`
      this.run('ceph', ['osd', 'new', uuid, String(place)])
      this.#makeKey(`${name}/keyring`, name, 'mon', 'allow profile osd', 'osd', 'allow *')
      this.run('ceph-osd', ['-i', String(place), '--mkfs', '--osd-uuid', uuid])
      this.begin('osd', String(place))
    }
    const name = 'client.rgw.a'
    this.#makeKey(`${name}.keyring`, name, 'mon', 'allow rw', 'osd', 'allow rwx')
    this.begin('rgw', name)
  }

  /** The keys of the monitor and of the administrator, with which the others are made. */
  #makeMonitor(): void {
    const all = ['mon', 'osd', 'mgr'].flatMap((one) => ['--cap', one, 'allow *'])
    const admin = ['-C', 'client.admin.keyring', '--gen-key', '-n', 'client.admin']
    this.run('ceph-authtool', [...admin, ...all])
    const monitor = ['-C', 'mon.keyring', '--gen-key', '-n', 'mon.']
    this.run('ceph-authtool', [...monitor, '--cap', 'mon', 'allow *'])
    this.run('ceph-authtool', ['mon.keyring', '--import-keyring', 'client.admin.keyring'])
    const known = ['--create', '--fsid', this.#id, '--addv', 'a', this.#monitors]
    this.run('monmaptool', [...known, 'monmap'])
    const parts = ['--monmap', 'monmap', '--keyring', 'mon.keyring']
    this.run('ceph-mon', ['--mkfs', '-i', 'a', ...parts])
  }

  #makeKey(file: string, ...rights: string[]): void {
    mkdirSync(path.join(this.#folder, path.dirname(file)), { recursive: true })
    const text = this.run('ceph', ['auth', 'get-or-create', ...rights])
    writeFileSync(path.join(this.#folder, file), text)
  }

  run(program: string, args: string[]): string {
    const done = spawnSync(program, ['-c', this.#settings, ...args], {
      cwd: this.#folder,
      encoding: 'utf8',
      timeout: startMsMax,
    })
    if (done.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${done.stderr}`)
    return done.stdout
  }

  begin(kind: 'mon' | 'mgr' | 'osd' | 'rgw', place: string): void {
    const program = kind === 'rgw' ? 'radosgw' : `ceph-${kind}`
    const args = ['-c', this.#settings, '-f', kind === 'rgw' ? '-n' : '-i', place]
    const child = spawn(program, args, { cwd: this.#folder, stdio: 'ignore' })
    this.#children.set(`${kind}.${place}`, child)
  }

  pids(): number[] {
    return [...this.#children.values()].flatMap(({ pid }) => pid ?? [])
  }

  async end(name: string): Promise<void> {
    const child = this.#children.get(name)!
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = endOf(child)
    child.kill('SIGKILL')
    await ended
  }

  async endAll(): Promise<void> {
    for (const name of this.#children.keys()) await this.end(name)
  }
}

interface Place extends CephSize {
  readonly folder: string
  readonly id: string
  readonly monitors: string
  readonly port: string
}

function settingsOf(place: Place): string {
  const { folder, id, monitors, port, copies = osdCount, gibibytes = 4 } = place
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
    mon_allow_pool_size_one: true,
    auth_allow_insecure_global_id_reclaim: false,
    osd_pool_default_size: copies,
    osd_pool_default_min_size: Math.ceil(copies / 2),
    osd_pool_default_pg_num: 8,
    osd_crush_chooseleaf_type: 0,
    osd_memory_target: gibibyte,
    bluestore_block_size: gibibytes * gibibyte,
    // The seconds until the others notice a killed OSD (20).
    osd_heartbeat_grace: 6,
    mon_osd_min_down_reporters: 1,
    rgw_frontends: `beast endpoint=127.0.0.1:${port}`,
  }
  const lines = Object.entries(options).map(([name, value]) => `${name} = ${value}`)
  return `[global]\n${lines.join('\n')}\n[client]\nkeyring = ${folder}/$name.keyring\n`
}
