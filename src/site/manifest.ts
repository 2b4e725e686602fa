/** A document of the build; the manifest lists all of them. */
export interface ManifestFile {
  /** Its path on the site. */
  readonly path: string
  /** Its name in the folder, compressed with gzip unless it is a template. */
  readonly name: string
  readonly contentType: string
  /** Whether addresses must be filled in. */
  readonly isTemplate: boolean
  readonly tag: string
}

/** Placeholders for addresses that are known when the service starts. */
export const placeholders = {
  docsUrl: 'https://docs.invalid',
  baseUrl: 'https://product.invalid',
} as const
