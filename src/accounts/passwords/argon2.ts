import { createRequire } from 'node:module'

const name = '@node-rs/argon2'

/** The library that hashes passwords has no binary here; the message says what to do. */
export class Argon2Missing extends Error {
  override readonly name = 'Argon2Missing'
}

/** Loaded by the first password, because an idle service saves 5 MB without it. */
export async function loadArgon2(): Promise<typeof import('@node-rs/argon2')> {
  try {
    return await import('@node-rs/argon2')
  } catch (error) {
    requireArgon2()
    throw new Argon2Missing(`${name} does not run on this machine, and passwords need it.`, {
      cause: error,
    })
  }
}

/**
 * For the start of the service: its binary is an optional package, without which the first sign-in
 * would fail.
 * @throws Argon2Missing
 */
export function requireArgon2(platform = process.platform, arch: string = process.arch): void {
  const found = createRequire(createRequire(import.meta.url).resolve(name))
  const { optionalDependencies } = found('./package.json') as {
    optionalDependencies: Readonly<Record<string, string>>
  }
  const machine = `${name}-${platform}-${arch}`
  const usable = Object.keys(optionalDependencies).filter(
    (one) => one === machine || one.startsWith(`${machine}-`),
  )
  if (usable.some((one) => isInstalled(found, one))) return
  if (usable.length === 0) {
    throw new Argon2Missing(`${name} does not run on ${platform}-${arch}, and passwords need it.`)
  }
  const libc = hasGlibc() ? '-gnu' : '-musl'
  const wanted = usable.find((one) => one.includes(libc)) ?? usable[0]
  throw new Argon2Missing(
    `${wanted} is not installed, and passwords need it. ` +
      'Install again without --omit=optional.',
  )
}

function isInstalled(found: NodeJS.Require, one: string): boolean {
  try {
    found.resolve(one)
    return true
  } catch {
    return false
  }
}

function hasGlibc(): boolean {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return report.header?.glibcVersionRuntime !== undefined
}
