import { describeConfig, loadConfig } from '../config/load.ts'
import { writeAnswer } from './output.ts'

export async function showConfig(): Promise<void> {
  await writeAnswer(`${describeConfig(loadConfig(process.env)).join('\n')}\n`)
}
