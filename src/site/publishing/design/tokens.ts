import { inState, line, type Group } from './elements.ts'

const colors = ['ground', 'surface', 'text', 'faint', 'line', 'control', 'accent', 'on-accent']
const signs = ['danger', 'ok', 'warn', 'backdrop', 'soft', 'raised']

export function tokens(): Group {
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
