import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../src/lib/package-root.ts'

/** The commands of a section of the README, a block each, exactly as printed there. */
export function readmeCommands(heading: string): string[] {
  const text = readFileSync(path.join(packageRoot, 'README.md'), 'utf8')
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))
  if (section === undefined) throw new Error(`the README has no section "${heading}"`)
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands!)
}
