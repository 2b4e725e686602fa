import { commands } from '../../cli/commands.ts'

const general = ['help', '--config', '--help', '--version']

/** Completion of commands and their options for bash. Operands are ids, which it cannot know. */
export function makeCompletion(): string {
  const all = Object.entries(commands)
  const groups = new Map<string, string[]>()
  for (const [words] of all) {
    const [group = '', word] = words.split(' ')
    groups.set(group, [...(groups.get(group) ?? []), ...(word === undefined ? [] : [word])])
  }
  const optionCases = all.map(([words, { options, hasJson }]) => {
    const names = [...Object.keys(options), ...(hasJson ? ['json'] : []), 'config', 'help']
    return makeCase(
      [words, `${words} *`],
      names.map((name) => `--${name}`),
    )
  })
  const groupCases = [...groups]
    .filter(([, words]) => words.length > 0)
    .map(([group, words]) => makeCase([group], words))
  return `# Completion of transfer for bash.
_transfer() {
  local -a typed=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  if [ "\${typed[0]-}" = help ]; then typed=("\${typed[@]:1}"); fi
  local candidates=
  case "\${typed[*]}" in
${makeCase([''], [...groups.keys(), ...general])}
${optionCases.join('\n')}
${groupCases.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -F _transfer transfer
`
}

/** A pattern that ends with a star matches any further words. */
function makeCase(patterns: readonly string[], candidates: readonly string[]): string {
  const quoted = patterns.map((pattern) => `'${pattern}'`.replace("*'", "'*"))
  return `    ${quoted.join(' | ')}) candidates='${candidates.join(' ')}' ;;`
}
