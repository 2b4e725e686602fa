// Copy buttons, the contents of a page, the menu, and operations that open when an address points
// to them. The pages work without it.
'use strict'

for (const bar of document.querySelectorAll('.code-bar')) {
  const button = document.createElement('button')
  button.className = 'copy'
  button.type = 'button'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', 'Copy code')
  button.addEventListener('click', () => void copy(bar.nextElementSibling, button))
  bar.append(button)
}

async function copy(block, button) {
  let result = 'Copied'
  try {
    await navigator.clipboard.writeText(block.textContent)
  } catch {
    // Browsers allow it only on https. Otherwise people copy what is selected for them.
    getSelection().selectAllChildren(block)
    result = 'Selected'
  }
  button.textContent = result
  button.setAttribute('aria-label', result)
  setTimeout(() => {
    button.textContent = 'Copy'
    button.setAttribute('aria-label', 'Copy code')
  }, 2000)
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  const details = target?.closest('details')
  if (!details) return
  details.open = true
  target.scrollIntoView()
}
addEventListener('hashchange', openTarget)
openTarget()

addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && location.hash === '#pages') location.hash = '#content'
})

// Beside the page, the navigation scrolls separately.
const nav = document.getElementById('pages')
const current = nav.querySelector('[aria-current]')
if (current) nav.scrollTop = Math.max(0, current.offsetTop - nav.clientHeight / 2)

const contents = document.querySelector('.contents')
if (contents) {
  const isBeside = matchMedia('(min-width: 76rem)')
  const follow = () => (contents.open = isBeside.matches)
  isBeside.addEventListener('change', follow)
  follow()
  markShown([...contents.querySelectorAll('a')])
}

/** Marks the section that is at the top of the window. */
function markShown(links) {
  const headings = links.map((link) => document.getElementById(link.hash.slice(1)))
  const mark = () => {
    const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.body.scrollHeight - 2
    const last = headings.findLastIndex((one) => one.getBoundingClientRect().top < 140)
    const shown = isAtEnd ? links.length - 1 : last
    for (const [place, link] of links.entries()) {
      if (place === shown) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
  addEventListener('scroll', mark, { passive: true })
  mark()
}
