/**
 * Copies a text. On plain http browsers have no clipboard API, only the old command on a selected
 * field. Returns false when that fails too: then select the field and suggest Ctrl+C.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByCommand(text)
  }
}

function copyByCommand(text: string): boolean {
  // Content outside of the topmost dialog cannot be selected.
  const holder = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'visually-hidden'
  holder.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (before instanceof HTMLElement) before.focus()
  }
}

/** Missing on plain http, and in some browsers. */
export const canCopyPictures =
  typeof ClipboardItem !== 'undefined' && navigator.clipboard?.write !== undefined

/**
 * Copies a square picture as a PNG on white, because most programs cannot paste SVG.
 * @param pixels per side
 * @returns false when the browser refuses
 */
export async function copyPicture(source: string, pixels: number): Promise<boolean> {
  try {
    // Drawn inside the item, because Safari accepts it only during the click.
    const item = new ClipboardItem({ 'image/png': draw(source, pixels) })
    await navigator.clipboard.write([item])
    return true
  } catch {
    return false
  }
}

async function draw(source: string, pixels: number): Promise<Blob> {
  const image = new Image()
  image.src = source
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = pixels
  const context = canvas.getContext('2d')!
  context.fillStyle = '#fff'
  context.fillRect(0, 0, pixels, pixels)
  context.drawImage(image, 0, 0, pixels, pixels)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png')
  })
}
