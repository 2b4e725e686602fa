import { classes, icon, inState, inStates, line, type Group, type Icons } from './elements.ts'

export function buttons({ ui }: Icons): Group {
  const button =
    (kind: string, text: string) =>
    (shown: string, attributes = '') =>
      `<button type="button" class="${classes('button', kind, shown)}"${attributes}>${text}
</button>`
  const disabled = ' aria-disabled="true"'
  const all = (make: (shown: string, attributes?: string) => string) =>
    inStates(make, [
      ['Disabled', make('', disabled)],
      ['Busy', make('', `${disabled} aria-busy="true"`)],
    ])
  const symbol = (shown: string, attributes = '') =>
    button('quiet icon-only', icon(ui['trash']))(shown, ` aria-label="Remove"${attributes}`)
  const link = (shown: string) => `<a class="${classes('button', shown)}" href="#buttons">Open</a>`
  const file = (shown: string) => `<label class="${classes('button primary', shown)}">
${icon(ui['add'])} Choose files<input class="visually-hidden" type="file"></label>`
  return {
    anchor: 'buttons',
    title: 'Buttons',
    text:
      'One primary button per view. Quiet buttons stand in rows, danger asks before it ' +
      'acts. A button that works or waits keeps its place and its focus.',
    html: [
      line('Primary', all(button('primary', 'Get link'))),
      line('Plain', all(button('', 'Cancel'))),
      line('Danger', all(button('danger', 'Delete share'))),
      line('Quiet', all(button('quiet', `${icon(ui['download'])} Download`))),
      line('Icon', all(symbol)),
      line('Link', inStates(link)),
      line('Files', inStates(file)),
      line(
        'Row of buttons',
        `<div class="actions">${button('', 'Keep')('')}
${button('danger', 'Delete')('')}</div>`,
      ),
    ].join('\n'),
  }
}

export function links({ ui }: Icons): Group {
  const a = (shown: string) => `<a class="${shown}" href="#links">Holiday</a>`
  const entry = (shown: string) =>
    `<button type="button" class="${classes('entry', shown)}" aria-expanded="false">
${icon(ui['next'])} Folder</button>`
  const open = `<button type="button" class="entry" aria-expanded="true">${icon(ui['next'])} Folder
</button>`
  const sort = (shown: string) =>
    `<button type="button" class="${classes('sort', shown)}">Name ↑</button>`
  const summary = (shown: string) =>
    `<details><summary class="${shown}">More options</summary>Shown.</details>`
  return {
    anchor: 'links',
    title: 'Links and disclosures',
    text:
      'Links lead somewhere and are underlined, except in navigation. What opens in place ' +
      'has a triangle or an arrow.',
    html: [
      line('Link', inStates(a)),
      line('Row that opens', inStates(entry, [['Open', open]])),
      line('Head of a column', inStates(sort)),
      line('Disclosure', inStates(summary)),
    ].join('\n'),
  }
}

let fields = 0

/** A field with its label; `input` gets the id that the label names. */
function field(label: string, input: (id: string) => string, below = ''): string {
  fields += 1
  const id = `field-${fields}`
  return `<div class="field"><label for="${id}">${label}</label>
<div class="row-tight">${input(id)}</div>${below}</div>`
}

const problem = '<p class="problem-text">Enter a whole email address.</p>'

export function textFields({ ui }: Icons): Group {
  const text = (shown: string, more = '') =>
    field('Title', (id) => `<input id="${id}" class="${shown}" value="Holiday"${more}>`)
  const lines = (shown: string, more = '') =>
    field('Message', (id) => `<textarea id="${id}" class="${shown}" rows="2"${more}></textarea>`)
  const select = (shown: string, more = '') =>
    field(
      'Link expires',
      (id) => `<select id="${id}" class="${shown}"${more}><option>7 days</option></select>`,
    )
  const wrong = ' aria-invalid="true"'
  const all = (make: (shown: string, more?: string) => string) =>
    inStates(make, [
      ['Disabled', make('', ' disabled')],
      ['Invalid', make('', wrong)],
    ])
  return {
    anchor: 'fields',
    title: 'Fields',
    text:
      'Labels stand above, hints and problems below. A field that cannot be changed now is ' +
      'grey; one that must be corrected has a red border and says why.',
    html: [
      line('Text', all(text)),
      line('Several lines', all(lines)),
      line('Selection', all(select)),
      ...arrangements(ui),
    ].join('\n'),
  }
}

/** Fields with what may stand beside and below them. */
function arrangements(ui: Icons['ui']): string[] {
  const wrong = ' aria-invalid="true"'
  const mail = (id: string) => `<input id="${id}" type="email" value="mara@"${wrong}>`
  const password = (id: string) => `<input id="${id}" type="password" value="secret">
<button type="button" class="button quiet">Show</button>`
  return [
    line(
      'With a hint, a problem, a button',
      inState(
        'Hint',
        field(
          'Custom link',
          (id) => `<input id="${id}" placeholder="holiday-2026">`,
          '<p class="hint">3–50 letters, numbers, - or _.</p>',
        ),
      ) +
        inState('Problem', field('Email', mail, problem)) +
        inState('Password', field('Password', password)) +
        inState(
          'Read only',
          field('Link', (id) => `<input id="${id}" readonly value="https://…">`),
        ),
    ),
    line(
      'With a unit, a colour, a button within',
      `<fieldset class="field"><legend>Largest share</legend><div class="measure">
${field('Number', (id) => `<input id="${id}" value="20">`)}
${field('Unit', (id) => `<select id="${id}"><option>GB</option></select>`)}</div></fieldset>
<div class="measure">${field('Accent colour', (id) => `<input id="${id}" value="#1d5fc4">`)}
<input type="color" aria-label="Pick a colour" value="#1d5fc4"></div>
<div class="within"><input aria-label="Link" readonly value="https://f.example/s/1">
<button type="button" class="button primary">Copy</button></div>`,
    ),
    line(
      'Changed, refused, in pairs, in filters',
      `<div>${field('Quota', (id) => `<input id="${id}" value="50">`)}
</div><div class="setting" data-refused>
<button type="button" class="button quiet">Reset</button>
${field('Port', (id) => `<input id="${id}" value="0"${wrong}>`)}</div>
<div class="row-tight pair">${field('From', (id) => `<input id="${id}">`)}
${field('To', (id) => `<input id="${id}">`)}</div>
<div class="filters">${field('Event', (id) => `<input id="${id}">`)}
<button type="button" class="button">${icon(ui['check'])} Apply</button></div>
<div class="list-filters">${field('Search', (id) => `<input id="${id}" type="search">`)}
${field('State', (id) => `<select id="${id}"><option>All</option></select>`)}</div>`,
    ),
  ]
}

export function choices({ ui }: Icons): Group {
  const check = (shown: string, more = '') => `<label class="check">
<input type="checkbox" class="${shown}"${more}> <span>Protect with a password</span></label>`
  const choice = (shown: string, more = '') => `<label class="${classes('choice', shown)}">7 days
<input class="visually-hidden" type="radio"${more}></label>`
  const toggle = (more = '') => `<label class="switch">Password
<input type="checkbox" role="switch"${more}></label>`
  const chip = (shown: string) =>
    `<button type="button" class="${classes('chip', shown)}" aria-label="Remove: exe">exe
${icon(ui['close'])}</button>`
  const recipient = (name: string, more = '') => `<li class="${classes('recipient', more)}">
<bdi>${name}</bdi><button type="button" class="button quiet icon-only" aria-label="Remove ${name}">
${icon(ui['close'])}</button></li>`
  return {
    anchor: 'choices',
    title: 'Choices and chips',
    text:
      'A checkbox turns one thing on, and of choices one is taken. Chips are entered one after ' +
      'the other; pressing one removes it.',
    html: [
      line(
        'Checkbox',
        inStates(check, [
          ['Checked', check('', ' checked')],
          ['Disabled', check('', ' disabled checked')],
        ]),
      ),
      line(
        'Choice',
        `<div class="chips">${inStates(choice, [['Chosen', choice('', ' checked')]])}
${choice('day')}</div>`,
      ),
      line(
        'One of a few',
        `<fieldset class="seg"><label><input type="radio" name="view" aria-label="List" checked>
${icon(ui['list'])}</label><label><input type="radio" name="view" aria-label="Grid">
${icon(ui['grid'])}</label></fieldset>`,
      ),
      `<div class="options">${toggle()}${toggle(' checked')}<p class="shown">What it turns on.</p>
</div>`,
      line('Chip', `<div class="row">${inStates(chip)}</div>`),
      line(
        'Recipients',
        `<ul class="recipients">${recipient('mara@example.org')}
${recipient('jonas@', 'wrong')}</ul>`,
      ),
    ].join('\n'),
  }
}
