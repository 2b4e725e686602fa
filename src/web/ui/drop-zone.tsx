import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../lib/i18n.ts'
import { useSignal, type Signal } from '../lib/signals.ts'
import type { Handle } from '../upload/handles.ts'
import { Icon } from './icon.tsx'
import * as icons from './icons.ts'

export interface DropZoneProps {
  /** Selected or pasted files; those of a folder have their path in `webkitRelativePath`. */
  readonly onFiles: (files: readonly File[]) => void
  /** Selected files that browsers can find again in a later visit. */
  readonly onHandles: (handles: readonly Handle[]) => void
  /** Dropped items; read them at once, because the browser empties the list after the event. */
  readonly onDrop: (items: DataTransferItemList) => void
  /** Limits, shown below the buttons. */
  readonly children?: ComponentChildren
  /**
   * In a card without files the whole card is the target. Beside files: a row of two buttons, the
   * first of them alone, or the last tile of a strip.
   */
  readonly look?: 'card' | 'row' | 'button' | 'tile'
  /** Accepts what is dropped and pasted, without buttons. */
  readonly isHidden?: boolean
  /** Preferred extensions without a dot; absent or empty for all. */
  readonly kinds?: readonly string[]
}

/** Accepts files by selecting, dropping anywhere in the window, and pasting. */
export function DropZone(props: DropZoneProps) {
  const { onFiles, onHandles, onDrop, children, look = 'card', isHidden, kinds } = props
  const handlers = useRef({ onFiles, onDrop })
  handlers.current = { onFiles, onDrop }
  const isOver = useWindowDrop(handlers)
  const isCard = look === 'card'
  const isTile = look === 'tile'
  const main = isCard ? 'drop' : isTile ? 'add' : 'row'
  return (
    <div class={isOver.value ? `${main} dropping` : main} hidden={isHidden}>
      {isCard && <p class="faint mouse-only">{t('drop.title')}</p>}
      <FileButton
        text={t(isTile ? 'common.add' : 'drop.add_files')}
        look={isCard ? 'button primary wide' : isTile ? 'tile' : 'button quiet'}
        accept={kinds?.map((kind) => `.${kind}`).join() || undefined}
        {...{ onFiles, onHandles }}
      />
      {(isCard || look === 'row') && (
        <FolderButton text={t(isCard ? 'drop.or_folder' : 'drop.add_folder')} {...props} />
      )}
      {children}
    </div>
  )
}

/** Where browsers can select a folder. */
export function FolderButton(
  props: Pick<DropZoneProps, 'onFiles' | 'onHandles'> & { readonly text: string },
) {
  const { text, onFiles, onHandles } = props
  const look = 'button quiet mouse-only'
  return hasFolders && <FileButton isFolder {...{ text, look, onFiles, onHandles }} />
}

/** Chromium's own pickers, in a secure context. */
interface Pickers {
  showOpenFilePicker?(options: { multiple: true }): Promise<Handle[]>
  showDirectoryPicker?(): Promise<Handle>
}

/** Not on phones, where an input also offers camera and library. */
function pickerOf(isFolder: boolean | undefined): Promise<Handle[]> | undefined {
  if (!matchMedia('(pointer: fine)').matches) return undefined
  const pickers = window as Pickers
  if (!isFolder) return pickers.showOpenFilePicker?.({ multiple: true })
  return pickers.showDirectoryPicker?.().then((handle) => [handle])
}

const hasFolders = 'webkitdirectory' in HTMLInputElement.prototype

/** A real file input inside its label, which is the visible part. */
export function FileButton(props: {
  readonly text: string
  /** Classes of the label. */
  readonly look: string
  readonly isFolder?: boolean
  readonly accept?: string | undefined
  readonly onFiles: (files: readonly File[]) => void
  readonly onHandles: (handles: readonly Handle[]) => void
}) {
  const { text, look, isFolder, accept, onFiles, onHandles } = props
  const isPlain = useRef(false)
  return (
    <label class={look}>
      <Icon path={isFolder ? icons.folder : icons.add} />
      {/* The tile of a phone has no room for words. */}
      <span class={look === 'tile' ? 'wide-only' : undefined}>{text}</span>
      <input
        type="file"
        multiple
        accept={accept}
        aria-label={text}
        // Missing in Preact's attributes.
        {...(isFolder ? { webkitdirectory: true } : {})}
        class="visually-hidden"
        onClick={(event) => {
          // The picker has no space for many file types, but an input lists them.
          const picker = isPlain.current || accept ? undefined : pickerOf(isFolder)
          if (!picker) return
          event.preventDefault()
          const input = event.currentTarget
          picker.then(onHandles, (error: unknown) => {
            // Cancelled, or the browser shows no picker here, for example in a frame.
            if ((error as Error).name === 'AbortError') return
            isPlain.current = true
            // Later, because a click inside of the present one would be ignored.
            setTimeout(() => input.click())
          })
        }}
        onChange={(event) => {
          const input = event.currentTarget
          const files = [...(input.files ?? [])]
          // Allows the same files to be selected again.
          input.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </label>
  )
}

type Handlers = { readonly current: Pick<DropZoneProps, 'onFiles' | 'onDrop'> }

/** Whether files are being dragged over the window. */
function useWindowDrop(handlers: Handlers): Signal<boolean> {
  const isOver = useSignal(false)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const accept = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      isOver.value = true
    }
    addEventListener('dragenter', accept, { signal })
    addEventListener('dragover', accept, { signal })
    addEventListener('dragleave', (event) => (isOver.value &&= event.relatedTarget !== null), {
      signal,
    })
    addEventListener('drop', (event) => drop(event, handlers, isOver), { signal })
    addEventListener('paste', (event) => paste(event, handlers), { signal })
    return () => controller.abort()
  }, [])
  return isOver
}

function drop(event: DragEvent, handlers: Handlers, isOver: Signal<boolean>): void {
  isOver.value = false
  if (!event.dataTransfer?.types.includes('Files')) return
  event.preventDefault()
  handlers.current.onDrop(event.dataTransfer.items)
}

function paste(event: ClipboardEvent, handlers: Handlers): void {
  const { clipboardData: data, target, defaultPrevented } = event
  const files = [...(data?.files ?? [])]
  const text = data?.getData('text/plain') ?? ''
  // Office programs add a picture of copied text; in a field the text is meant.
  const isField = target instanceof Element && target.matches(':read-write')
  if (defaultPrevented || (isField && text)) return
  if (files.length === 0 && text.trim()) {
    files.push(new File([text], t('drop.text_name'), { type: 'text/plain' }))
  }
  if (files.length === 0) return
  event.preventDefault()
  handlers.current.onFiles(files)
}
