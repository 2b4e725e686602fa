/** A page as the catalog lists it. */
export interface ManifestPage {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Where people read it, on the site. */
  readonly path: string
}

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

/** What the build has made, for the service that serves it. */
export interface Manifest {
  readonly pages: readonly ManifestPage[]
  readonly files: readonly ManifestFile[]
}

/** Stand for the addresses that are known when the service starts. */
export const placeholders = {
  docsUrl: 'https://docs.invalid',
  baseUrl: 'https://product.invalid',
} as const
