import { describeConfig, loadConfig } from '../config/load.ts'

export async function showConfig(): Promise<void> {
  process.stdout.write(`${describeConfig(loadConfig(process.env)).join('\n')}\n`)
}
