import { escapeHtml } from '../../../http/html.ts'
import type { Rendered } from '../markdown.ts'
import { buttons, choices, links, textFields } from './buttons-and-fields.ts'
import { inState, line, type Group, type Icons, classes, icon } from './elements.ts'

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

function files({ ui, files: kinds }: Icons): Group {
  const tile = (kind: string, path: string | undefined) =>
    `<span class="tile ${kind}">${icon(path)}</span>`
  const tiles = Object.entries({ folder: ui['folder'], ...kinds })
    .map(([kind, path]) => inState(kind, tile(kind, path)))
    .join('\n')
  const words = (name: string, size: string) =>
    `<span class="stack-none"><bdi>${name}</bdi> <small class="faint">${size}</small></span>`
  const download = `<a class="button quiet" href="#files" aria-label="Download">
${icon(ui['download'])}
<span class="wide-only">Download</span></a>`
  const row = (lead: string, name: string, size: string) => `<li>
<a class="main entry" href="#files">${lead}${words(name, size)}</a>${download}</li>`
  const drop = (more: string) => `<div class="transfer empty-card">
<svg class="mark" viewBox="0 0 112 80" aria-hidden="true"><rect x="32" y="8" width="48"
height="64" rx="10"/><path d="M56 52V28m-10 10l10-10 10 10"/></svg>
<div class="${classes('drop', more)}"><p class="faint mouse-only">Drop them here, or paste</p>
<button type="button" class="button primary wide">${icon(ui['add'])} Add files</button>
<button type="button" class="button quiet">or a folder</button>
<p class="faint terms">Available for 7 days</p></div></div>`
  return {
    anchor: 'files',
    title: 'Files',
    text:
      'Each kind of file has an icon in the colour of its family. Rows are one line high; ' +
      'folders open in place.',
    html: [
      line('Kinds', tiles),
      `<ul class="rows"><li><button type="button" class="main entry" aria-expanded="true">
${icon(ui['next'])}${tile('folder', ui['folder'])}${words('Photos', '2 files · 10 MB')}</button>
<ul class="rows">${row(tile('image', kinds['image']), 'harbour.jpg', '4.2 MB')}
${row(tile('image', kinds['image']), 'old town.jpg', '5.8 MB')}</ul></li>
${row(tile('pdf', kinds['pdf']), 'travel diary.pdf', '2.5 MB')}</ul>`,
      `<div class="first-pictures"><div class="add"><label class="tile">${icon(ui['add'])}Add
<input type="file" class="visually-hidden"></label></div></div>`,
      line('Drop zone', inState('Rest', drop('')) + inState('Hover', drop('is-hover'))),
    ].join('\n'),
  }
}

function messages({ ui }: Icons): Group {
  const badges = ['', 'ok', 'warn', 'danger']
    .map((kind) => `<span class="${classes('badge', kind)}">${kind || 'Ended'}</span>`)
    .join('\n')
  return {
    anchor: 'messages',
    title: 'Messages',
    text:
      'A problem stays where it happened and says what to do. A notice informs. A toast ' +
      'confirms and leaves by itself.',
    html: [
      line('Badges', badges),
      `<p class="notice">The file is stored, but not shared yet.</p>
<p class="notice ok row-tight">${icon(ui['check'])} No problems with disk, files, jobs or email.</p>
<div class="problem"><p>This link is no longer valid. Ask for a new one.</p>
<button type="button" class="button">Try again</button><p class="code">not_found</p></div>
<div class="problem mild"><div role="alert"><p class="row-tight">${icon(ui['warn'])}
The disk is almost full.</p></div></div>
<p class="strip">No connection. Trying again…</p><p class="strip back">Connected again.</p>
<div class="box"><div class="toasts"><div class="toast">Link copied
<button type="button" class="button quiet">Undo</button></div></div></div>
<div class="empty"><p>No shares yet.</p>
<a class="button primary" href="#messages">${icon(ui['send'])} Send files</a></div>
<div class="loading"></div>
<p class="faint">Words that accompany others. <span class="hint">A hint is smaller.</span>
<span class="hint">It is emphasised while it changes.</span></p>
<ul class="bullets"><li>Files are deleted.</li><li>Links stop working.</li></ul>`,
    ].join('\n'),
  }
}

function surfaces({ ui }: Icons): Group {
  const item = (shown: string) =>
    `<button type="button" class="${classes('button quiet', shown)}">${icon(ui['copy'])} Copy link
</button>`
  return {
    anchor: 'surfaces',
    title: 'Cards, dialogs and menus',
    text:
      'A card holds one thing. A dialog asks one question, and its buttons begin with ' +
      'different words. Bars keep the main button visible.',
    html: [
      `<div class="card"><a class="button quiet back-to" href="#surfaces">${icon(ui['back'])}
Requests</a><div class="part"><article><h3>Mara Lind</h3>
<p class="text">Text and photo.</p></article>
<article class="wanted"><p>The delivery that an email has linked to.</p></article></div></div>
<dialog open aria-label="Delete this share?"><h2>Delete this share?</h2>
<div class="stack"><p class="act">Its link stops working at once.</p>
<div class="actions"><button type="button" class="button">Keep share</button>
<button type="button" class="button danger">Delete share and files</button></div></div></dialog>`,
      line(
        'Menu',
        `<div class="menu is-open">${item('')}${item('is-hover')}${item('is-focus')}</div>`,
      ),
      `<div class="dock"><div class="row spread"><span>Holiday · 42 %</span>
<a class="button quiet" href="#surfaces">Show</a></div></div>
<div class="save-bar changed"><span>Unsaved changes</span>
<button type="button" class="button">Discard changes</button>
<button type="button" class="button primary">Save</button></div>`,
      line(
        'Skip link',
        inState(
          'Focus',
          `<a class="button skip is-focus" href="#surfaces">Skip to
the content</a>`,
        ),
      ),
    ].join('\n'),
  }
}

function navigation({ ui }: Icons): Group {
  const items = (label: string, current: string) =>
    [label, 'Hover', 'Pressed', 'Focus']
      .map((text, place) => {
        const shown = ['', 'is-hover', 'is-hover is-active', 'is-focus'][place]
        const mark = place === 0 ? ` aria-current="${current}"` : ''
        return `<a class="${shown}" href="#navigation"${mark}>${text}</a>`
      })
      .join('\n')
  const steps = ['Files', 'Recipients', 'Link']
    .map((name, place) => `<li${place === 1 ? ' aria-current="step"' : ''}>${name}</li>`)
    .join('')
  return {
    anchor: 'navigation',
    title: 'Navigation',
    text:
      'The current place has the accent. On phones, the main navigation is a bar at the ' +
      'bottom.',
    isWide: true,
    html: `<div class="shell"><div class="bar"><a class="brand" href="#navigation">
<span class="name">Transfer</span></a>
<div class="nav">${items('Shares', 'page')}
<a href="#navigation">${icon(ui['inbox'])} Requests <span class="badge ok">1</span></a>
</div><button type="button" class="button me" data-face="AW" aria-label="Account"></button>
</div></div>
<div class="sided"><div class="tabs">${items('Files', 'page')}<button
type="button">Keyboard shortcuts</button></div></div>
<div class="parts"><a href="#navigation">Password ${icon(ui['next'])}</a></div>
<div class="narrow saved-fields"><ol class="steps">${steps}</ol></div>`,
  }
}
