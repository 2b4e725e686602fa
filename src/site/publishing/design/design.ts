import { escapeHtml } from '../../../http/html.ts'
import type { Rendered } from '../markdown.ts'
import { buttons, choices, links, textFields } from './buttons-and-fields.ts'
import type { Group, Icons } from './elements.ts'
import { files, messages, navigation, surfaces } from './files-and-surfaces.ts'
import { tokens } from './tokens.ts'

const about =
  'Every control of the web UI in each of its states, in light and dark, made of the styles of ' +
  'the product. All of them work with a pointer, a finger and a keyboard.'
const colors = { light: 'Light', dark: 'Dark' } as const

/**
 * The controls of the product. They are in shadow trees without a script, because the styles of the
 * product and of this site must not mix.
 * @param sheets addresses of the styles that the trees load
 */
export function renderDesign(icons: Icons, sheets: readonly string[]): Rendered {
  const groups = [
    tokens(),
    ...[buttons, links, textFields, choices, files].map((of) => of(icons)),
    ...[messages, surfaces, navigation].map((of) => of(icons)),
  ]
  const part = (anchor: string, title: string, text: string) => ({ anchor, title, depth: 2, text })
  return {
    html: `<h1>Design</h1>
<p>${about}</p>
${groups.map((group) => renderGroup(group, sheets)).join('\n')}`,
    sections: [
      part('', 'Design', about),
      ...groups.map(({ anchor, title, text }) => part(anchor, title, text)),
    ],
  }
}

function renderGroup({ anchor, title, text, html, isWide }: Group, sheets: readonly string[]) {
  const links = sheets.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')
  const looks = Object.entries(colors).map(
    ([theme, name]) => `<div class="look" data-theme="${theme}" role="group"
aria-label="${title}, ${name.toLowerCase()}"><template shadowrootmode="open">${links}
<div class="page stack">${html}</div></template></div>`,
  )
  return `<h2 id="${anchor}">${escapeHtml(title)}</h2>
<p>${escapeHtml(text)}</p>
<div class="looks${isWide ? ' is-wide' : ''}">${looks.join('\n')}</div>`
}
