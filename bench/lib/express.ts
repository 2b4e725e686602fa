import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { Child, freePort } from './child.ts'
import { peersFolder, versionOf } from './peers.ts'
import { ServiceTarget } from './service-target.ts'
import type { ServerSetting, Target } from './target.ts'

const packages = { Express: 'express', Multer: 'multer', archiver: 'archiver' }

/** Starts Express with Multer and archiver, which answers on the paths of the service. */
export async function startExpress(setting: ServerSetting): Promise<Target> {
  const { folder, payload, env, limit } = setting
  mkdirSync(folder)
  const port = await freePort()
  const child = await Child.start({
    file: path.join(peersFolder, 'express-server.mjs'),
    args: [folder, String(port)],
    env: { NODE_ENV: 'production', ...env },
    limit,
    logFile: `${folder}.log`,
    readyText: 'listening',
  })
  const title = Object.entries(packages).map(([name, file]) => `${name} ${versionOf(file)}`)
  return new ServiceTarget({
    label: 'express',
    title: title.join(' + '),
    child,
    port,
    payload,
  })
}
