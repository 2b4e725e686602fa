/** A file's extension in lower case without a dot; empty when it has none. */
export const kindOf = (path: string) => /\.([^./]+)$/.exec(path.toLowerCase())?.[1] ?? ''

/** Typed file extensions: `pdf, .docx *.JPG`. */
export const readKinds = (typed: string) =>
  typed
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((kind) => kind.replace(/^\*?\.+/, ''))
    .filter(Boolean)
