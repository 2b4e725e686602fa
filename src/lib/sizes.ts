const powers = { '': 0, k: 1, m: 2, g: 3, t: 4 } as const

/**
 * Reads a size as people write it: `50GB`, `1.5 GiB`, `20m`, `5000`. Units with an `i` count in
 * 1024, as in IEC 80000-13, all others in 1000.
 * @returns bytes, rounded down; null for any other text, above 2^53, and for a part of a byte: 0
 *   often stands for no limit
 */
export function parseBytes(text: string): number | null {
  const found = /^(\d+(?:\.\d+)?) ?([kmgt]?)(i?)b?$/i.exec(text.trim())
  if (!found) return null
  const [, digits = '', prefix = '', binary = ''] = found
  if (prefix === '' && binary !== '') return null
  const power = powers[prefix.toLowerCase() as keyof typeof powers]
  // 2.3 * 1000 is a little less than 2300.
  const bytes = Math.floor(Number(digits) * (binary ? 1024 : 1000) ** power + 1e-6)
  return Number.isSafeInteger(bytes) && (bytes > 0 || Number(digits) === 0) ? bytes : null
}

/** A size for people, in decimal units as file managers show it: `2.3 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}
