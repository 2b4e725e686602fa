import { loadConfig, type Config, type Loaded } from '../config/load.ts'
import { becomeOwner } from './as-owner.ts'

/**
 * The options of the service, for a command. Under root it continues as the user who owns DATA_DIR,
 * the user of the service: what it writes would otherwise belong to root, and the service could not
 * read it. The options are read first, because only root may read some of them.
 * @throws ConfigError with all mistakes
 */
export function loadCommandConfig(): Config {
  return loadCommandOptions().config
}

/** The same with the options file. @throws ConfigError */
export function loadCommandOptions(): Loaded {
  const loaded = loadConfig(process.env)
  becomeOwner(loaded.config.dataDir)
  return loaded
}
