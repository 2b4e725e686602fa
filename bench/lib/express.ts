import { startPeer, versionOf } from './peers.ts'
import { ServiceTarget } from './service-target.ts'
import type { ServerSetting, Target } from './target.ts'

const packages = { Express: 'express', Multer: 'multer', archiver: 'archiver' }

/** Starts Express with Multer and archiver, which answers on the paths of the service. */
export async function startExpress(setting: ServerSetting): Promise<Target> {
  const { child, port } = await startPeer('express-server.mjs', setting)
  const title = Object.entries(packages).map(([name, file]) => `${name} ${versionOf(file)}`)
  return new ServiceTarget({
    label: 'express',
    title: title.join(' + '),
    child,
    port,
    payload: setting.payload,
  })
}
