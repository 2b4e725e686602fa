import { options, type VNode } from 'preact'

/** The names that Preact's build gives to the DOM node of a virtual one. */
type Drawn = VNode & { readonly __e?: Node | null }

/** What a browser's translation shows in place of a text, and the reverse. */
const standIns = new WeakMap<Node, Element>()
const originals = new WeakMap<Node, Text>()

/**
 * Lets pages change while a browser translates them: call it once, before a page draws anything.
 * Chrome replaces each text by a `<font>`, for another language by another one, and Preact would
 * go on changing the hidden text. Here a changed text takes its place back, to be translated again,
 * and a removed one takes the translation with it. Names, which are in `<bdi>`, are not translated.
 */
export function surviveTranslation(): void {
  new MutationObserver((records) => {
    for (const { removedNodes, addedNodes, previousSibling } of records) {
      const [gone] = removedNodes
      const added = addedNodes[0] ?? previousSibling
      const text = gone instanceof Text ? gone : gone && originals.get(gone)
      if (text && added instanceof Element && added.localName === 'font') {
        standIns.set(text, added)
        originals.set(added, text)
      }
    }
  }).observe(document, { childList: true, subtree: true })
  // Those that the page came with are read by its script.
  for (const name of document.querySelectorAll('bdi')) name.translate = false
  const former = { ...options }
  options.vnode = (node) => {
    // The property, which is a boolean: it sets the attribute to "no".
    if (node.type === 'bdi') Object.assign(node.props, { translate: false })
    former.vnode?.(node)
  }
  options.diffed = (node) => {
    former.diffed?.(node)
    const text = (node as Drawn).__e
    const standIn = text instanceof Text && !text.parentNode && standIns.get(text)
    if (standIn) standIn.replaceWith(text)
  }
  options.unmount = (node) => {
    const text = (node as Drawn).__e
    if (text && !text.parentNode) standIns.get(text)?.remove()
    former.unmount?.(node)
  }
}
