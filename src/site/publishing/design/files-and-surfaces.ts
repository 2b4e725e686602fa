import { classes, icon, inState, line, type Group, type Icons } from './elements.ts'

export function files({ ui, files: kinds }: Icons): Group {
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
  const thumbnail = `<span class="lead"><canvas class="thumbnail" width="40" height="40"></canvas>
${icon(ui['check'])}</span>`
  const canvas = '<canvas width="80" height="60"></canvas>'
  const pictures = ['harbour.jpg', 'old town.jpg', 'beach.png'].map(
    (name) => `<li><a class="main entry" href="#files">${tile('image', kinds['image'])}
${words(name, '4.2 MB')}</a></li>`,
  )
  const drop = (more: string) => `<div class="transfer empty-card">
<svg class="mark" viewBox="0 0 112 80" aria-hidden="true"><rect x="32" y="8" width="48"
height="64" rx="10"/><path d="M56 52V28m-10 10l10-10 10 10"/></svg>
<div class="${classes('drop', more)}"><p class="faint mouse-only">Drop them here, or paste</p>
<button type="button" class="button primary wide">${icon(ui['add'])} Add files</button>
<button type="button" class="button quiet">or a folder</button>
<p class="faint terms">Kept 7 days</p></div></div>`
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
${row(tile('pdf', kinds['pdf']), 'travel diary.pdf', '2.5 MB')}
${row(thumbnail, 'beach.png', '1.1 MB')}
<li><label class="check main"><input type="checkbox" checked> <span><bdi>route.gpx</bdi></span>
</label></li></ul>`,
      `<details class="fold" open><summary>1 file · 8 MB${icon(ui['next'])}</summary>
<div><ul class="rows"><li>${thumbnail}<div class="main"><bdi>pier.mp4</bdi>
<small class="faint">8 MB · 41%</small></div></li></ul></div></details>
<p><span class="tile film"></span></p>`,
      `<div class="first-pictures"><div>${tile('image', kinds['image'])}${canvas}</div>
<div>${tile('image', kinds['image'])}<span class="more">+12</span></div>
<div class="add"><label class="tile">${icon(ui['add'])}Add<input type="file"
class="visually-hidden"></label></div></div>`,
      `<div class="tiles"><ul class="rows">${pictures.join('\n')}</ul></div>`,
      line('Drop zone', inState('Rest', drop('')) + inState('Hover', drop('is-hover'))),
      `<div class="box"><div class="drop-overlay">Drop to add the files</div></div>`,
      `<p class="film">${tile('video', kinds['video'])}<span class="more">+3</span></p>`,
      `<div class="viewer"><div class="bar"><h3>plan.md</h3><span class="count">1 of 6</span></div>
<div class="box preview"><div class="content"><pre class="numbered"><span>1</span>A line</pre>
<button type="button" class="button tools">Source</button>
<div class="tools zoom"><span class="count">100 %</span></div>
<div class="contents"><p class="hint">3 files</p></div>
<div class="picture zoomed"><span class="blurred"></span></div></div>
<span class="turn on"><button type="button" class="button quiet icon-only" aria-label="Next">
${icon(ui['next'])}</button></span></div>
<p class="note faint">This document comes from the sender.</p>
<div class="reel"><button type="button" aria-label="harbour.jpg" aria-current="true">
${tile('image', kinds['image'])}</button></div></div>`,
    ].join('\n'),
  }
}

export function messages({ ui }: Icons): Group {
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

export function progress({ ui }: Icons): Group {
  return {
    anchor: 'progress',
    title: 'Progress',
    text:
      'A ring for the whole, a bar for a part; both are also said in words. ' +
      'The ring ends as a tick.',
    html: `<div class="head"><svg class="ring" viewBox="0 0 112 112" aria-hidden="true">
<circle cx="56" cy="56" r="52"/><circle cx="56" cy="56" r="52" pathLength="100"
stroke-dasharray="42 100"/><text x="56" y="58">42%</text></svg>
<div class="words"><h3 class="title"><textarea rows="1" aria-label="Title">Holiday</textarea>
${icon(ui['pencil'])}</h3><div class="row-tight spread"><p class="count">3 min left · 18 MB/s</p>
<button type="button" class="button">${icon(ui['pause'])} Pause</button></div></div></div>
<div class="head"><svg class="ring done" viewBox="0 0 112 112" aria-hidden="true">
<circle cx="56" cy="56" r="52"/><path d="m37 57 14 14 26-29"/></svg>
<div class="words"><p class="said">Link copied</p><h3>Holiday</h3></div></div>
<div class="link-card"><div class="within"><input aria-label="Link" value="https://f.example/s/1">
<button type="button" class="button primary">Copy</button></div>
<button type="button" class="button quiet qr-small" aria-label="QR code"></button></div>
<div class="row spread last"><span class="row quiets"><a class="button quiet" href="#progress">View
as recipient</a><span class="qr-button"><button type="button" class="button quiet">QR code</button>
</span></span></div>
<progress value="42" max="100" aria-label="Progress"></progress>
<meter value="0.6" aria-label="Strength of the password"></meter>`,
  }
}

export function surfaces({ ui }: Icons): Group {
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

export function navigation({ ui }: Icons): Group {
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
    html: `<div class="shell"><div class="bar"><a class="brand" href="#navigation">Transfer</a>
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
