import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { formatBytes, formatPercent } from '../lib/format.ts'
import { isFilm } from '../lib/film.ts'
import { hasText, sayForeign, t } from '../lib/i18n.ts'
import { kindOf } from '../lib/kinds.ts'
import { useSignal, type Signal } from '../lib/signals.ts'
import { nameOf } from '../lib/tree.ts'
import type { FileState } from '../upload/types.ts'
import { Button } from './button.tsx'
import { Fold } from './fold.tsx'
import { Icon } from './icon.tsx'
import { FileName } from './name.tsx'
import { fewFiles, RemovalTools, RemoveButton } from './removal.tsx'
import { Choice, FolderChoice, useSelection, type Selection } from './selection.tsx'
import { Tree } from './tree.tsx'
import * as icons from './icons.ts'

interface FileRowsProps {
  readonly files: readonly FileState[]
  /** Absent when files can no longer be removed. */
  readonly onRemove?: (files: readonly FileState[]) => void
  readonly onRetry?: (fileId: string) => void
  /** Empties the list, beside the button that selects files. */
  readonly onClear?: () => void
  /** Draws the kind of a file. */
  readonly icon: (file: FileState) => ComponentChildren
  /** Further buttons below the list. */
  readonly children?: ComponentChildren
}

/** Whether a file is, or will be, part of the upload. */
export const isCounted = ({ state }: FileState) => state !== 'skipped'

/** A row with the number and size of files, which opens their list. */
export function FileFold(props: {
  readonly files: readonly FileState[]
  readonly isOpen: boolean
  readonly children: ComponentChildren
}) {
  const { files, isOpen, children } = props
  const counted = files.filter(isCounted)
  const bytes = counted.reduce((sum, { size }) => sum + size, 0)
  // Later, only the user opens and closes it. Problems are never hidden.
  const isOpenAtFirst = useMemo(() => isOpen, [])
  const isTroubled = files.some(({ state }) => troubled.has(state))
  return (
    <Fold
      isOpen={isOpenAtFirst || isTroubled}
      text={`${t('common.files', { n: counted.length })} · ${formatBytes(bytes)}`}
    >
      <div>{children}</div>
    </Fold>
  )
}

/** Files of an upload with their progress and their problems. */
export function FileRows(props: FileRowsProps) {
  const { files, onRemove, onRetry, onClear, icon, children } = props
  const selection = useSelection()
  const isChoosing = selection.ids.value !== null
  const skipped = files.length - files.filter(isCounted).length
  return (
    <>
      <div role="status">
        {/* Their rows may be in closed folders, or below the first ones. */}
        {skipped > 0 && <p class="problem-text">{t('file.skipped_count', { n: skipped })}</p>}
      </div>
      <Tree
        files={files}
        isCounted={isCounted}
        keepsOrder
        row={(file) => <Row {...{ file, selection, onRemove, onRetry, icon }} />}
        folderLead={(folder) => isChoosing && <FolderChoice {...{ selection, folder }} />}
        folderActions={(folder) =>
          onRemove &&
          !isChoosing && <RemoveButton name={folder.name} of={folder} {...{ onRemove }} />
        }
      />
      {onRemove && files.length > 0 && (
        <RemovalTools {...{ files, selection, onRemove }}>
          {(begin) => (
            <div class="row">
              {children}
              {files.length > fewFiles && (
                <Button kind="quiet" icon={icons.trash} onClick={begin}>
                  {t('file.remove_some')}
                </Button>
              )}
              {/* The last one, because it goes when the upload begins. */}
              {onClear && (
                <Button kind="quiet" icon={icons.close} onClick={onClear}>
                  {t('file.clear')}
                </Button>
              )}
            </div>
          )}
        </RemovalTools>
      )}
    </>
  )
}

const troubled = new Set(['failed', 'skipped', 'changed', 'missing'])

interface RowProps extends Pick<FileRowsProps, 'onRemove' | 'onRetry' | 'icon'> {
  readonly file: FileState
  readonly selection: Selection
}

function Row({ file, selection, onRemove, onRetry, icon }: RowProps) {
  const { id, path, size, state } = file
  const name = nameOf(path)
  const mayRetry = state === 'failed' || state === 'changed'
  const isBad = troubled.has(state)
  const picture = pictureOf(file)
  const isPainted = useSignal(false)
  const content = (
    <>
      <span class="tile lead">
        {picture && <Thumbnail {...{ picture, isPainted }} pixels={80} />}
        {isBad ? <Icon path={icons.warn} /> : !isPainted.value && icon(file)}
      </span>
      <div class="main">
        <FileName of={name} />{' '}
        <small class="faint">
          {formatBytes(size)}
          {sayState(file)}
        </small>
        {state !== 'missing' && (isBad || file.problem) && (
          <p class="problem-text">{explainFile(file)}</p>
        )}
      </div>
    </>
  )
  if (selection.ids.value) {
    return (
      <Choice selection={selection} id={id}>
        {content}
      </Choice>
    )
  }
  return (
    <>
      {content}
      {mayRetry && onRetry && (
        <Button kind="quiet" onClick={() => onRetry(id)} label={t('file.retry', { name })}>
          {t('common.try_again')}
        </Button>
      )}
      {onRemove && <RemoveButton name={name} of={file} onRemove={onRemove} />}
    </>
  )
}

const pictures = /^image\/(jpeg|png|webp|gif|avif)$/
const pictureBytesMax = 20_000_000

export function pictureOf({ source, size }: FileState): Blob | null {
  if (!(source instanceof Blob)) return null
  const isDrawn = isFilm(source) || (pictures.test(source.type) && size <= pictureBytesMax)
  return isDrawn ? source : null
}

/** @param props.pixels of the longer side: twice the displayed size, for high-resolution screens */
export function Thumbnail(props: {
  readonly picture: Blob
  readonly isPainted: Signal<boolean>
  readonly pixels: number
}) {
  const { picture, isPainted, pixels } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    // Effects end after the element has gone, and its ref with it.
    const element = canvas.current!
    let stop: (() => void) | null = () => {}
    import('../upload/browser.ts').then(
      ({ paintWhenSeen }) => {
        if (stop) stop = paintWhenSeen(element, picture, pixels, () => (isPainted.value = true))
      },
      // Keeps the icon.
      () => {},
    )
    return () => {
      stop?.()
      stop = null
    }
  }, [picture])
  return <canvas ref={canvas} class="thumbnail" hidden={!isPainted.value} aria-hidden="true" />
}

function sayState({ state, sent, size }: FileState): string {
  // The guest's files wait for the guest.
  if (state === 'waiting') return ''
  if (state === 'sending') return ` · ${formatPercent(size === 0 ? 1 : sent / size)}`
  return ` · ${t(`file.is.${state}`)}`
}

function explainFile({ path, problem }: FileState): string {
  const key = `file.problem.${problem?.code}`
  const kind = kindOf(path)
  return hasText(key)
    ? t(key, { kind: kind ? `.${kind}` : nameOf(path) })
    : sayForeign(problem?.message)
}
