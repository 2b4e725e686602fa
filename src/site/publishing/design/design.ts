import { escapeHtml } from '../../../http/html.ts'
import type { Rendered } from '../markdown.ts'
import { buttons, choices, links, textFields } from './buttons-and-fields.ts'
import { inState, line, type Group, type Icons } from './elements.ts'
import { files, messages, navigation, surfaces } from './files-and-surfaces.ts'

const about =
  'Every control of the web UI in each of its states, in light and dark, made of the styles of ' +
  'the product. All of them work with a pointer, a finger and a keyboard.'
const themes = { light: 'Light', dark: 'Dark' } as const

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
  const looks = Object.entries(themes).map(
    ([theme, name]) => `<div class="look" data-theme="${theme}" role="group"
aria-label="${title}, ${name.toLowerCase()}"><template shadowrootmode="open">${links}
<div class="page stack">${html}</div></template></div>`,
  )
  return `<h2 id="${anchor}">${escapeHtml(title)}</h2>
<p>${escapeHtml(text)}</p>
<div class="looks${isWide ? ' is-wide' : ''}">${looks.join('\n')}</div>`
}

const colors = ['ground', 'surface', 'text', 'faint', 'line', 'control', 'accent', 'on-accent']
const signs = ['danger', 'ok', 'warn', 'backdrop', 'soft', 'raised']

function tokens(): Group {
  const swatch = (name: string) => inState(name, `<span class="swatch ${name}"></span>`)
  const corner = (name: string) => inState(name, `<span class="swatch corner ${name}"></span>`)
  return {
    anchor: 'tokens',
    title: 'Colours, sizes and corners',
    text:
      'Everything is made of these. Branding sets the accent, the ground, its picture and ' +
      'the radius. Headings have two sizes, and everything else has one. ' +
      'Lengths are multiples of 8 px, with half steps.',
    html: [
      line('Colours', [...colors, ...signs].map(swatch).join('\n')),
      line('Corners', ['radius-small', 'radius', 'radius-card', 'pill'].map(corner).join('\n')),
      `<h1 role="presentation">Title of a page, 28 px</h1>
<h2 role="presentation">Title of a part, 20 px</h2>
<p>Text, 16 px. <code>code</code> <kbd>Ctrl</kbd></p>
<p class="faint">Words that accompany others, 16 px</p>`,
    ].join('\n'),
  }
}
