// The search over /search.json: titles before keywords before text, and what users do before how it
// works. Each result names its page and section, and shows the words around the first match.
'use strict'
{
  const input = document.getElementById('search')
  const list = document.getElementById('found')
  const count = document.getElementById('found-count')
  /** Before all paths: '' unless DOCS_URL has a path. */
  const basePath = new URL('..', document.currentScript.src).pathname.slice(0, -1)
  const resultsMax = 12
  const resultsPerPageMax = 3
  const points = { page: 120, title: 100, keyword: 80, phrase: 110, text: 8, context: 5 }
  /** Many operations have similar titles, so pages come first. */
  const referenceWeight = 0.25
  /** The API, and the background: the last groups of the navigation. */
  const groupWeights = [0.9, 0.4]
  const weights = new Map(
    [...document.querySelectorAll('nav#pages ul')]
      .slice(-groupWeights.length)
      .flatMap((group, place) =>
        [...group.querySelectorAll('a')].map(({ pathname }) => [
          pathname.slice(basePath.length),
          groupWeights[place],
        ]),
      ),
  )
  let index = null
  let chosen = -1

  input.parentElement.hidden = false

  async function loadIndex() {
    index ??= fetch(`${basePath}/search.json`).then(async (answer) => {
      if (!answer.ok) throw new Error(String(answer.status))
      const sections = (await answer.json()).map(prepare)
      return { sections, known: wordsIn(sections) }
    })
    return index
  }

  function prepare([path, page, title, text, keywords]) {
    const words = { page: wordsOf(page), title: wordsOf(title), keywords: wordsOf(keywords) }
    return { path, page, title, text, words, textWords: wordsOf(text) }
  }

  function wordsOf(text) {
    return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stem)
  }

  /** `limits` finds `limit`, and the other way around. */
  function stem(word) {
    return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
  }

  /** Whole words count fully, beginnings of words half; long titles less than short ones. */
  function match(words, word, full) {
    if (words.includes(word)) return full - Math.min(words.length, 9)
    return words.some((one) => one.startsWith(word)) ? full / 2 - Math.min(words.length, 9) : 0
  }

  function scoreOf({ title, text, words, textWords }, word) {
    const isStart = title === ''
    const score = Math.max(
      match(words.page, word, isStart ? points.page : points.context + 9),
      isStart ? match(words.keywords, word, points.keyword + 9) : 0,
      match(words.title, word, points.title),
      match(textWords, word, points.text + 9),
      text.toLowerCase().includes(word) ? 1 : 0,
    )
    const times = textWords.filter((one) => one === word).length
    return score === 0 ? 0 : score + Math.min(times, 5)
  }

  function weightOf(path) {
    if (path.startsWith('/reference#')) return referenceWeight
    return weights.get(path.split('#')[0]) ?? 1
  }

  /** For words that stand together in this order; the last one may be the beginning of a word. */
  function phraseOf({ title, text, words, textWords }, wanted) {
    if (wanted.length < 2) return 0
    const phrase = wanted.join(' ')
    // The name of a row, or the beginning of a sentence.
    if (text.includes(phrase[0].toUpperCase() + phrase.slice(1))) return points.phrase + 20
    const has = (all) => ` ${all.join(' ')}`.includes(` ${phrase}`)
    return has(words.title) || (title === '' && has(words.page)) || has(textWords)
      ? points.phrase
      : 0
  }

  /** The known word that differs in one letter; the word itself where there is none. */
  function mended(word, known) {
    return word.length < 4 ? word : (known.find((one) => isOneOff(one, word)) ?? word)
  }

  /** One letter more, less, other, or two that have changed places. */
  function isOneOff(one, other) {
    if (Math.abs(one.length - other.length) > 1) return false
    let start = 0
    while (start < one.length && one[start] === other[start]) start += 1
    const [left, right] = [one.slice(start), other.slice(start)]
    return (
      left.slice(1) === right ||
      left === right.slice(1) ||
      left.slice(1) === right.slice(1) ||
      (left.slice(2) === right.slice(2) && left[0] === right[1] && left[1] === right[0])
    )
  }

  /** All words of the sections, the most frequent ones first. */
  function wordsIn(sections) {
    const counts = new Map()
    for (const { words: own, textWords } of sections) {
      for (const one of [...own.page, ...own.title, ...own.keywords, ...textWords]) {
        counts.set(one, (counts.get(one) ?? 0) + 1)
      }
    }
    return [...counts.keys()].sort((one, other) => counts.get(other) - counts.get(one))
  }

  /** The words as they were meant: those that no section has, as the most frequent similar one. */
  function meant(known, words) {
    return words.map((word) =>
      known.some((one) => one.includes(word)) ? word : mended(word, known),
    )
  }

  /** Sections that contain every word. */
  function search(sections, words) {
    const found = []
    for (const section of sections) {
      const scores = words.map((word) => scoreOf(section, word))
      if (scores.every((score) => score > 0)) {
        const score = scores.reduce((sum, one) => sum + one, phraseOf(section, words))
        found.push({ ...section, score: score * weightOf(section.path) })
      }
    }
    const byPage = new Map()
    found.sort((left, right) => right.score - left.score)
    return [...new Set(found.map((section) => telling(section, found, words)))]
      .filter(({ page }) => {
        byPage.set(page, (byPage.get(page) ?? 0) + 1)
        return byPage.get(page) <= resultsPerPageMax
      })
      .slice(0, resultsMax)
  }

  /** In place of a page that was found by its keywords: its section that has the words. */
  function telling(section, found, words) {
    const has = ({ title, text, page }) =>
      words.every((word) => placeOf(`${page} ${title} ${text}`, word) >= 0)
    return has(section)
      ? section
      : (found.find((one) => one.page === section.page && has(one)) ?? section)
  }

  function placeOf(text, word) {
    return text.toLowerCase().search(new RegExp(`(?<![\\p{L}\\p{N}])${word}`, 'u'))
  }

  /** Whole words around the first match. */
  function excerptOf(text, words) {
    const places = words.map((word) => placeOf(text, word))
    const first = Math.max(0, Math.min(...places.filter((place) => place >= 0), text.length) - 40)
    const start = first >= text.length - 40 ? 0 : first
    const from = start === 0 ? 0 : text.indexOf(' ', start) + 1
    const to = text.length <= from + 130 ? text.length : text.lastIndexOf(' ', from + 130)
    return (from > 0 ? '… ' : '') + text.slice(from, to) + (to < text.length ? ' …' : '')
  }

  /** The text with its matches marked. */
  function marked(name, text, words) {
    const element = document.createElement(name)
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})[\\p{L}\\p{N}]*`, 'giu')
    let end = 0
    for (const { 0: found, index: place } of text.matchAll(pattern)) {
      const mark = document.createElement('mark')
      mark.textContent = found
      element.append(text.slice(end, place), mark)
      end = place + found.length
    }
    element.append(text.slice(end))
    return element
  }

  function render({ path, page, title, text }, place, words) {
    const link = document.createElement('a')
    link.id = `found-${place}`
    link.setAttribute('role', 'option')
    link.setAttribute('aria-selected', 'false')
    link.tabIndex = -1
    link.href = basePath + path
    link.append(marked('b', title || page, words))
    if (title) {
      link.append(marked('i', ` · ${page}`, words))
    }
    const excerpt = excerptOf(text, words)
    if (excerpt) link.append(marked('small', excerpt, words))
    return link
  }

  function show(found, words) {
    chosen = -1
    const items = found.map((one, place) => render(one, place, words))
    const isOpen = words.length > 0
    if (items.length === 0 && isOpen) {
      const none = document.createElement('p')
      none.textContent = 'No results'
      items.push(none)
    }
    list.replaceChildren(...items)
    list.scrollTop = 0
    list.hidden = !isOpen
    // An empty list has no options, which a listbox needs.
    if (found.length > 0) list.setAttribute('role', 'listbox')
    else list.removeAttribute('role')
    count.textContent = isOpen ? (found.length === 1 ? '1 result' : `${found.length} results`) : ''
    input.setAttribute('aria-expanded', String(found.length > 0))
    input.removeAttribute('aria-activedescendant')
    if (found.length > 0) choose(1)
  }

  function choose(step) {
    const options = list.querySelectorAll('[role=option]')
    if (options.length === 0) return
    options[chosen]?.setAttribute('aria-selected', 'false')
    chosen = (chosen + step + options.length) % options.length
    const option = options[chosen]
    option.setAttribute('aria-selected', 'true')
    option.scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-activedescendant', option.id)
  }

  function close() {
    show([], [])
  }

  /** Shows the results for the words in the field, unless they change meanwhile. */
  async function update() {
    const query = input.value
    try {
      const { sections, known } = await loadIndex()
      const words = meant(known, wordsOf(query))
      if (query === input.value) show(search(sections, words), words)
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
      close()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      choose(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter') {
      list.querySelectorAll('a')[Math.max(chosen, 0)]?.click()
    }
  })
  list.addEventListener('click', close)
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')
    if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping) return
    event.preventDefault()
    input.focus()
    input.select()
  })
  document.addEventListener('click', (event) => {
    if (!input.parentElement.contains(event.target)) close()
  })
}
