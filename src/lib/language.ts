/** Languages of what the service itself says on pages; the web UI has the same. */
const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/**
 * The first language of an `Accept-Language` header (RFC 9110, 12.5.4) that we speak, by weight;
 * English when there is none.
 */
export function chooseLanguage(header: string | undefined): Language {
  const wanted = (header ?? '')
    .split(',', 20)
    .map((entry) => {
      const [name = '', weight = ''] = entry
        .trim()
        .toLowerCase()
        .split(/\s*;\s*q=/)
      return { name: name.slice(0, 2), weight: weight === '' ? 1 : Number(weight) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
  for (const { name } of wanted) {
    const found = languages.find((language) => language === name)
    if (found) return found
  }
  return 'en'
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Bytes as the web UI writes them (src/web/lib/format.ts): `5.4 GB`. */
export function sizeIn(language: Language, bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: units[unit]!,
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: unit < 2 || value >= 100 ? 0 : 1,
  }).format(value)
}

export function numberIn(language: Language, value: number): string {
  return new Intl.NumberFormat(language).format(value)
}

/** `41%`, of a whole percent. */
export function percentIn(language: Language, percent: number): string {
  return new Intl.NumberFormat(language, { style: 'percent' }).format(percent / 100)
}
