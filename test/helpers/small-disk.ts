// A separate file system that can really fill up, and whose power can be cut; it takes no space
// before it is used.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** ext4's EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: see linux/fs/ext4/ext4.h. */
const shutDown = `
import fcntl, os, struct, sys
fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack('I', 2))
`

export class SmallDisk {
  readonly mountPoint: string
  readonly #folder: string
  readonly #filler: string
  readonly #image: string

  private constructor(folder: string) {
    this.#folder = folder
    this.mountPoint = path.join(folder, 'mounted')
    this.#filler = path.join(this.mountPoint, 'filler')
    this.#image = path.join(folder, 'image')
  }

  /**
   * Mounts a new disk. Null where nothing can be mounted, after printing what is skipped.
   * @param size in the format of truncate(1)
   */
  static mount(size: string, what: string): SmallDisk | null {
    const folder = mkdtempSync(path.join(tmpdir(), 'transfer-test-disk-'))
    const disk = new SmallDisk(folder)
    chmodSync(folder, 0o711)
    mkdirSync(disk.mountPoint)
    try {
      run('truncate', '-s', size, disk.#image)
      run('mkfs.ext4', '-q', '-F', '-m', '0', disk.#image)
      disk.#mount()
      chmodSync(disk.mountPoint, 0o711)
      return disk
    } catch (error) {
      rmSync(folder, { recursive: true, force: true })
      const [line] = String((error as Error).message).split('\n')
      process.stdout.write(`\nskipped: ${what}, nothing can be mounted: ${line}\n`)
      return null
    }
  }

  /** Takes all free space. */
  fill(): void {
    mkdirSync(this.#filler, { recursive: true })
    for (const size of ['256M', '64M', '16M', '4M', '1M', '64K', '4K']) {
      try {
        for (;;) run('fallocate', '-l', size, path.join(this.#filler, randomUUID()))
      } catch {
        // No space for one more of this size: smaller ones follow.
      }
    }
  }

  /** Frees the space that `fill` took. */
  clear(): void {
    rmSync(this.#filler, { recursive: true, force: true })
  }

  /** Everything that the kernel has only in memory is lost: its journal is not written. */
  cutPower(): void {
    run('python3', '-c', shutDown, this.mountPoint)
  }

  /** After a cut; nothing may use it. */
  mountAgain(): void {
    run('umount', this.mountPoint)
    this.#mount()
  }

  #mount(): void {
    run('mount', '-o', 'loop', this.#image, this.mountPoint)
  }

  remove(): void {
    run('umount', this.mountPoint)
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
