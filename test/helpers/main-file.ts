import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The start file of the service as built beside these tests: for tests that run it as a process.
 */
export const mainFile = path.join(
  fileURLToPath(new URL('../..', import.meta.url)),
  'dist',
  'main.js',
)
