/** A parameter in the path of an operation, for example `{shareId}`. */
export interface PathParameter {
  /** Possible values; anything else is 404 without a query. */
  readonly pattern: RegExp
  /** A whole number, at most `rowNumberMax`. */
  readonly isNumber?: true
  /** Grants access by itself: logs show only its first characters. */
  readonly isSecret?: true
  readonly description: string
  readonly example: string | number
}

export type PathParameters = Readonly<Record<string, PathParameter>>

/** Largest value of a column of type integer. */
export const rowNumberMax = 2 ** 31 - 1

export const rowIdPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Id of a link, or a custom link in its place. */
export const publicIdPattern = /^[A-Za-z0-9_-]{3,50}$/

const rowId = { pattern: rowIdPattern, example: '0b7f3c52-4c0e-4d0c-9a57-2f6a1d3e8b90' }
const number = { pattern: /^[1-9][0-9]{0,9}$/, isNumber: true } as const
const word = /^[a-z][a-z-]{0,49}$/

/** Every path parameter of the service and of the documentation site. */
export const pathParameters: PathParameters = {
  shareId: {
    pattern: publicIdPattern,
    isSecret: true,
    description: 'Id of a share, as in its link',
    example: 'mB3xK9vQ2rT7wYz5nP8dLg',
  },
  reverseId: {
    pattern: publicIdPattern,
    isSecret: true,
    description: 'Id of a reverse share, as in its link',
    example: 'hT6sW2kD9fJ4aXc8vR3uEq',
  },
  linkId: { ...rowId, description: 'Id of a personal link' },
  deliveryId: { ...rowId, description: 'Id of a delivery' },
  fileId: { ...number, description: 'Id of a file', example: 42 },
  uploadedFileId: {
    pattern: /^\P{Cc}{1,200}$/u,
    description: 'Id that the sender chose for a file, percent-encoded with its slashes',
    example: 'file-1',
  },
  userId: { ...number, description: 'Id of an account', example: 7 },
  sessionId: { ...rowId, description: 'Id of a session' },
  tokenId: { ...rowId, description: 'Id of an API token' },
  passkeyId: { ...rowId, description: 'Id of a passkey' },
  identityId: { ...rowId, description: 'Id of a linked identity' },
  provider: {
    pattern: /^[a-z0-9][a-z0-9-]{0,39}$/,
    description: 'Id of a sign-in provider',
    example: 'keycloak',
  },
  contactId: { ...rowId, description: 'Id of a contact' },
  mailId: { ...rowId, description: 'Id of an email' },
  asset: {
    pattern: /^[a-z0-9][a-z0-9.-]{0,99}$/,
    description: 'Name of a static file',
    example: 'icon.svg',
  },
  builtAsset: {
    pattern: /^[a-z]+(?:\.[a-z]+(?:-[A-Za-z]+)?)?-[A-Z0-9]{8}\.(?:js|css)$/,
    description: 'Name of a built script or style',
    example: 'app-0A1B2C3D.js',
  },
  view: { pattern: word, description: 'Section of a view of the web UI', example: 'settings' },
  section: { pattern: word, description: 'Group of settings', example: 'mail' },
  slug: {
    pattern: /^[a-z0-9][a-z0-9-]{0,99}$/,
    description: 'Id of a page: its file name without `.md`',
    example: 'architecture',
  },
  page: {
    pattern: /^[a-z0-9][a-z0-9-]{0,99}(\.md)?$/,
    description: 'Id of a page, with `.md` for the raw page',
    example: 'architecture.md',
  },
}
