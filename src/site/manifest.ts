/** A document that the build has made; the manifest is a list of them. */
export interface ManifestFile {
  /** Its path on the site. */
  readonly path: string
  /** Its name in the folder, packed with gzip unless it is a template. */
  readonly name: string
  readonly contentType: string
  /** Whether addresses have to be filled in. */
  readonly isTemplate: boolean
  readonly tag: string
}

/** Stand for the addresses that are known when the service starts. */
export const placeholders = {
  docsUrl: 'https://docs.invalid',
  baseUrl: 'https://product.invalid',
} as const
