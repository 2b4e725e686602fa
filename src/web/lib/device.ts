/** Product names in User-Agent and our names for them; the first match wins. */
const browsers = [
  [/Edg/, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrom|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
  [/curl/, 'curl'],
  [/Wget/, 'Wget'],
] as const

const systems = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** A guess at the device from its User-Agent; null where there is none. */
export function deviceOf(userAgent: string): {
  readonly browser: string | null
  readonly system: string | null
} {
  const first = (known: typeof browsers | typeof systems) =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
  return { browser: first(browsers), system: first(systems) }
}
