import * as assert from 'uvu/assert'

/**
 * Prints a measured figure beside the stored one, which a machine of two cores had, and fails
 * above twice of it: other machines, and busy ones, are slower.
 */
export function assertFigure(name: string, measured: number, stored: number, unit: string): void {
  process.stdout.write(
    `\nfigure: ${name}: ${measured.toFixed(1)} ${unit}, stored ${stored.toFixed(1)}\n`,
  )
  assert.ok(measured <= 2 * stored, `${name}: ${measured.toFixed(1)} ${unit}`)
}
