import path from 'node:path'
import { startExpress } from './express.ts'
import { startNative } from './native.ts'
import { findNginx, startNginx } from './nginx.ts'
import type { BenchOptions } from './options.ts'
import { startService } from './service-target.ts'
import type { ServerSetting, Target } from './target.ts'
import { startTus } from './tus.ts'

/** Starts one server of a bench. */
export interface Side {
  readonly name: string
  readonly start: (setting: ServerSetting) => Promise<Target>
}

/** What is compared, the service first. Says what is left out. */
export function sidesOf(options: BenchOptions): Side[] {
  const { service, against, nodeArgs } = options
  const sides: Side[] = [
    {
      name: 'service',
      start: (setting) =>
        startService({
          ...setting,
          label: 'service',
          title: 'this service',
          file: service,
          nodeArgs,
        }),
    },
  ]
  if (against === null || options.peers) sides.push({ name: 'native', start: startNative })
  if (options.peers) {
    sides.push({ name: 'tus', start: startTus }, { name: 'express', start: startExpress })
    if (hasNginx()) sides.push({ name: 'nginx', start: startNginx })
  }
  if (against !== null) {
    sides.push({
      name: 'against',
      start: (setting) =>
        startService({ ...setting, label: 'against', title: 'another build', file: against }),
    })
  }
  return sides
}

/** Starts all of them on folders of their own; stops what runs if one does not start. */
export async function startAll(
  sides: readonly Side[],
  folder: string,
  setting: Omit<ServerSetting, 'folder'>,
): Promise<Target[]> {
  const targets: Target[] = []
  try {
    for (const { name, start } of sides) {
      targets.push(await start({ ...setting, folder: path.join(folder, name) }))
    }
    return targets
  } catch (error) {
    await stopAll(targets)
    throw error
  }
}

export async function stopAll(targets: readonly Target[]): Promise<void> {
  for (const target of targets.toReversed()) await target.stop()
}

function hasNginx(): boolean {
  try {
    findNginx()
    return true
  } catch (error) {
    console.log(`skipped: nginx: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}
