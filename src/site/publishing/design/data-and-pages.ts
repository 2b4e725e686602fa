import { icon, inState, line, type Group, type Icons } from './elements.ts'

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

export function tables({ ui }: Icons): Group {
  const dots = `<button type="button" class="button quiet icon-only" popovertarget="none"
aria-label="More">${icon(ui['more'])}</button>`
  return {
    anchor: 'tables',
    title: 'Tables and facts',
    text:
      'Numbers are aligned at their end. On phones, a row of a list is two lines: its name ' +
      'with its buttons, then everything else.',
    isWide: true,
    html: `<table class="listing"><thead><tr><th scope="col" aria-sort="ascending">
<button type="button" class="sort">Name ↑</button><b class="visually-hidden">Name</b></th>
<th scope="col">Size <span class="narrow-head">and number</span></th><td></td></tr></thead>
<tbody><tr><th scope="row"><a href="#tables">Holiday</a> <span class="badge ok">Active</span></th>
<td>5 files · 94 MB</td><td><div class="row-actions">
<button type="button" class="button quiet" aria-label="Copy link">
${icon(ui['copy'])} <span class="wide-only">Copy link</span></button>${dots}</div></td></tr>
</tbody></table>
<table><caption>Accounts</caption><thead><tr><td class="pick"><span class="check">
<input type="checkbox" aria-label="Select all"></span></td><th scope="col">Account</th>
<th scope="col" class="number">Space</th><td></td></tr></thead><tbody><tr><td class="pick">
<span class="check"><input type="checkbox" aria-label="Select Mara"></span></td>
<th scope="row">Mara Lind <small>mara@example.org</small></th><td class="number">94 MB</td>
<td class="acts"><button type="button" class="button quiet">Manage</button></td></tr>
</tbody></table>
<dl class="facts"><div><dt>Address</dt><dd>files.example.org</dd></div>
<div><dt>Database</dt><dd>Built in</dd></div></dl>
<dl class="facts figures"><div><dt>Stored</dt><dd><strong><a href="#tables">1.8 TB</a></strong>
<progress value="40" max="100" aria-label="Used"></progress></dd></div>
<div><dt>Shares</dt><dd><strong>412</strong></dd></div></dl>
<dl class="keys"><div><dt><kbd>g</kbd> <kbd>s</kbd></dt><dd>Open shares</dd></div></dl>
<ul class="codes"><li><code>k3x9-p2mq</code></li><li><code>7fhd-w4tz</code></li></ul>
<ol class="bars"><li><bdi>Mara Lind</bdi><span>94 MB</span>
<progress value="94" max="100" aria-label="Mara Lind"></progress></li></ol>`,
  }
}

export function charts(): Group {
  return {
    anchor: 'charts',
    title: 'Charts',
    text:
      'Received is filled, sent is striped, so that nobody needs colours to tell them ' +
      'apart. Each chart is also a table.',
    isWide: true,
    html: `<div class="halves"><div class="part chart"><p class="hint">4.1 GB received</p>
<div class="plot"><div class="scale" aria-hidden="true"><span>0</span><span>2 GB</span></div>
<svg aria-hidden="true"><defs><pattern id="stripes" width="4" height="4"
patternUnits="userSpaceOnUse"><path class="stripe" d="M-1 1 1-1M0 4 4 0M3 5 5 3"/></pattern></defs>
<rect class="chosen" x="30%" width="10%" height="100%"/>
<line class="grid" x1="0" x2="100%" y1="50%" y2="50%"/>
<rect class="received" x="12%" width="5%" y="40%" height="60%"/>
<rect class="sent" x="18%" width="5%" y="60%" height="40%"/>
<text x="15%" y="100%" dy="1.4em">Nov 3</text>
<text class="wide-only" x="60%" y="100%" dy="1.4em">Nov 10</text></svg></div>
<p class="row hint legend"><svg aria-hidden="true">
<rect class="received" width="100%" height="100%"/></svg> Received
<svg aria-hidden="true"><rect class="sent" width="100%" height="100%"/></svg> Sent</p>
</div><div class="card chart"><p class="hint">1.8 TB stored</p><div class="plot"><div class="scale"
aria-hidden="true"><span>0</span><span>2 TB</span></div><svg viewBox="0 0 100 100"
preserveAspectRatio="none" aria-hidden="true"><path class="area" d="M0 100V60L50 45L100 20V100"/>
<path class="line" d="M0 60L50 45L100 20"/></svg></div></div></div>`,
  }
}

export function pages({ ui }: Icons): Group {
  const pane = (theme: string, more: string) => `<div class="pane stack ${theme}${more}">
<p class="brand">Files</p><div class="card"><p class="link">beach.jpg</p>
<span class="button primary">Download all</span></div><p><small>Imprint</small></p></div>`
  return {
    anchor: 'cards',
    title: 'Pages with a card',
    text:
      'What is sent, received or asked for stands on one card. Behind it is a pattern in ' +
      'the tone of the accent, or the colour or picture of branding.',
    isWide: true,
    html: `<div class="shell public"><div class="bar"><span class="brand">
<span class="name">Transfer</span></span></div>
<div class="transfer"><div class="head"><span class="avatar" aria-hidden="true">ML</span>
<div class="words"><p class="faint">Mara Lind sent you</p>
<h1 role="presentation" class="long">Holiday</h1></div></div>
<p class="text">The film and the best pictures.</p>
<div class="stack-tight"><button type="button" class="button primary wide">
${icon(ui['download'])} Download all · 94 MB</button>
<p class="facts faint">Available until Sunday</p></div>
<div class="row spread files-head"><h2>5 files</h2><div class="row-tight">
<button type="button" class="button quiet">Select</button>
<fieldset class="seg"><label><input type="radio" name="view" aria-label="List" checked>
${icon(ui['list'])}</label><label><input type="radio" name="view" aria-label="Grid">
${icon(ui['grid'])}</label></fieldset></div></div>
<div class="chosen"><button type="button" class="button">Download 3 (12 MB)</button></div>
<div class="search"></div>
<div class="last"><p class="faint center">Two of six files.</p></div></div>
<div class="transfer small">${icon(ui['link'], 'sign')}
<p class="welcome">A page that says one thing, or asks little, such as signing in.</p></div>
<div class="branding"><div class="previews">${pane('light', '')}${pane('dark', ' pictured')}
</div></div>
<p class="row"><span class="logo">Logo</span><span class="logoDark">Logo for dark pages</span>
<span class="groundPicture"></span><span class="qr"></span></p></div>`,
  }
}
