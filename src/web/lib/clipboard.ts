/**
 * Copies a text. On plain http browsers have no clipboard API, only the old command on a selected
 * field; where that fails too, false: the field is to be selected, and Ctrl+C said.
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
  // What is beside the topmost dialog cannot be selected.
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

/** Not on plain http, and not in every browser. */
export const canCopyPictures =
  typeof ClipboardItem !== 'undefined' && navigator.clipboard?.write !== undefined

/**
 * Copies a square picture as a PNG, on white: most programs paste no SVG.
 * @param pixels of each side
 * @returns false when the browser refuses
 */
export async function copyPicture(source: string, pixels: number): Promise<boolean> {
  try {
    // Drawn within the item: Safari takes it only in the very moment of the click.
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
