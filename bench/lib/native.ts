import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Child } from './child.ts'
import { PutTarget } from './put-target.ts'
import type { ServerSetting, Target } from './target.ts'

const serverFile = fileURLToPath(new URL('./native-server.js', import.meta.url))

/** Starts bare node:http over files, which syncs each chunk before the answer. */
export async function startNative(setting: ServerSetting): Promise<Target> {
  const { folder, payload, env, limit } = setting
  mkdirSync(folder)
  const child = await Child.start({
    file: serverFile,
    args: [folder],
    env,
    limit,
    logFile: `${folder}.log`,
    readyText: 'listening on ',
  })
  const title = `bare node:http ${process.version}`
  return new PutTarget({
    label: 'native',
    title,
    downloads: ['file', 'archive'],
    child,
    port: child.port,
    payload,
  })
}
