/** The ending of a file's name, in lower case and without its dot; empty when it has none. */
export const kindOf = (path: string) => /\.([^./]+)$/.exec(path.toLowerCase())?.[1] ?? ''

/** Kinds of files as people write them: `pdf, .docx *.JPG`. */
export const readKinds = (typed: string) =>
  typed
    .toLowerCase()
    .split(/[\s,;]+/)
    .map((kind) => kind.replace(/^\*?\.+/, ''))
    .filter(Boolean)
