import type { App } from '../app.ts'
import { ConfigError, loadConfig, type ChosenPorts, type Config } from '../config/load.ts'
import { options } from '../config/options.ts'
import type { AdjustableLog } from '../lib/log.ts'

const reloadable: readonly (keyof Config)[] = [
  'logLevel',
  'rateLimitLogin',
  'rateLimitReset',
  'rateLimitUpload',
  'rateLimitDownload',
]

/**
 * Reads the options again and applies those that can change while the service runs. Mistakes are
 * logged, and nothing changes.
 * @param started the options of the start
 * @param ports those that the system has chosen at the start
 * @returns the new options; null when they are not valid
 */
export function reloadOptions(
  started: Config,
  ports: ChosenPorts,
  app: App,
  log: AdjustableLog,
): Config | null {
  let config: Config
  try {
    config = loadConfig(process.env, ports).config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    log.error('kept the options: the new ones are not valid', { problems: error.problems })
    return null
  }
  log.setLevel(config.logLevel)
  app.services.limiters.use(config)
  const changed = (Object.keys(options) as (keyof Config)[]).filter(
    (key) =>
      !reloadable.includes(key) && JSON.stringify(config[key]) !== JSON.stringify(started[key]),
  )
  const atRestart = changed.map((key) => options[key].env)
  log.info('read the options again', atRestart.length > 0 ? { atRestart } : {})
  return config
}
