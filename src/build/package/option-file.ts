import { options, type Option } from '../../config/options.ts'

const columns = 90

const header = `# Boot options of the transfer service. To set one, remove the # before its name.
# Then run: systemctl restart transfer
#
# Administrators change all other settings in the web UI. See also: man transfer-service
`

/** The options file of an installation: every option with its default, commented out. */
export function makeOptionFile(): string {
  const rows = Object.values<Option<unknown>>(options).map(({ env, defaultText, doc, secret }) => {
    const notes = [
      doc,
      defaultText && `Default: ${defaultText}.`,
      secret && `Secret: better in a file, named by ${env}_FILE.`,
    ]
    const lines = wrap(notes.filter(Boolean).join(' ')).map((line) => `# ${line}\n`)
    return `\n${lines.join('')}#${env}=\n`
  })
  return header + rows.join('')
}

function wrap(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= columns) {
      lines[lines.length - 1] = `${line} ${word}`
    } else lines.push(word)
  }
  return lines
}
