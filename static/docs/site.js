// Copy buttons, the search, and operations that open when an address points to them. The pages
// work without it.
'use strict'

for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button')
  button.className = 'copy'
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', () => void copy(block, button))
  const frame = document.createElement('div')
  frame.className = 'code'
  block.replaceWith(frame)
  frame.append(block, button)
}

async function copy(block, button) {
  try {
    await navigator.clipboard.writeText(block.textContent)
    button.textContent = 'Copied'
  } catch {
    // Browsers allow it on https alone: then people copy what is selected for them.
    getSelection().selectAllChildren(block)
    button.textContent = 'Selected'
  }
  setTimeout(() => (button.textContent = 'Copy'), 2000)
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

const input = document.getElementById('search')
const list = document.getElementById('found')
const resultsMax = 20
let index = null
let chosen = -1

input.parentElement.hidden = false

async function loadIndex() {
  index ??= fetch('/search.json').then((answer) => answer.json())
  return index
}

/** Sections that hold every word; a word in the title counts for more. */
function search(sections, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const found = []
  for (const [path, title, text] of sections) {
    const [head, body] = [title.toLowerCase(), text.toLowerCase()]
    let score = 0
    for (const word of words) {
      if (head.includes(word)) score += head.startsWith(word) ? 12 : 10
      else if (body.includes(word)) score += 1
      else score = -Infinity
    }
    if (score > 0) found.push({ path, title, text, score, at: body.indexOf(words[0]) })
  }
  return found.sort((left, right) => right.score - left.score).slice(0, resultsMax)
}

/** Whole words from about there. */
function excerptOf(text, start) {
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1
  const to = text.length <= from + 110 ? text.length : text.lastIndexOf(' ', from + 110)
  return (from > 0 ? '… ' : '') + text.slice(from, to) + (to < text.length ? ' …' : '')
}

function show(found, query) {
  chosen = -1
  const items = found.map(({ path, title, text, at }, place) => {
    const item = document.createElement('li')
    item.id = `found-${place}`
    item.setAttribute('role', 'option')
    const link = document.createElement('a')
    link.href = path
    link.tabIndex = -1
    link.textContent = title
    const excerpt = document.createElement('small')
    const start = Math.max(0, at - 40)
    excerpt.textContent = excerptOf(text, start)
    link.append(excerpt)
    item.append(link)
    return item
  })
  if (items.length === 0 && query) {
    const none = document.createElement('li')
    const words = document.createElement('p')
    words.textContent = 'Nothing found'
    none.append(words)
    items.push(none)
  }
  list.replaceChildren(...items)
  list.hidden = items.length === 0
  input.setAttribute('aria-expanded', String(items.length > 0))
  input.removeAttribute('aria-activedescendant')
}

function choose(step) {
  const options = list.querySelectorAll('[role=option]')
  if (options.length === 0) return
  options[chosen]?.removeAttribute('aria-selected')
  chosen = (chosen + step + options.length) % options.length
  const option = options[chosen]
  option.setAttribute('aria-selected', 'true')
  option.scrollIntoView({ block: 'nearest' })
  input.setAttribute('aria-activedescendant', option.id)
}

/** Shows what is found for the words that are there now, unless they change meanwhile. */
async function update() {
  const query = input.value.trim()
  try {
    const sections = await loadIndex()
    if (query === input.value.trim()) show(search(sections, query), query)
  } catch {
    // The next key tries again.
    index = null
  }
}

input.addEventListener('focus', () => void update())
input.addEventListener('input', () => void update())
input.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    input.value = ''
    show([], '')
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    choose(event.key === 'ArrowDown' ? 1 : -1)
  } else if (event.key === 'Enter') {
    const links = list.querySelectorAll('a')
    links[Math.max(chosen, 0)]?.click()
  }
})
list.addEventListener('click', () => show([], ''))
document.addEventListener('keydown', (event) => {
  const isTyping = /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')
  if (event.key !== '/' || isTyping) return
  event.preventDefault()
  input.focus()
})
document.addEventListener('click', (event) => {
  if (!input.parentElement.contains(event.target)) show([], '')
})
