/** A file's extension in lower case without a dot; empty when it has none. */
export const kindOf = (path: string) => /\.([^./]+)$/.exec(path.toLowerCase())?.[1] ?? ''

/** Typed file extensions: `pdf, .docx *.JPG`. */
export const readKinds = (typed: string) =>
  typed
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((kind) => kind.replace(/^\*?\.+/, ''))
    .filter(Boolean)

const gigabyte = 1e9

/** 0 means no limit: an empty field. */
export const gigabytesOf = (bytes: number) => String(bytes / gigabyte || '')
export const readGigabytes = (typed: string) => Math.round(Number(typed) * gigabyte)
