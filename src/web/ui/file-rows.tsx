import { focusNeighbour } from '../lib/focus.ts'
import { formatBytes, formatPercent } from '../lib/format.ts'
import { hasText, t } from '../lib/i18n.ts'
import { nameOf } from '../lib/tree.ts'
import type { FileState } from '../upload/types.ts'
import { Button, IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { Tree } from './tree.tsx'
import * as icons from './icons.ts'

/** Above so many files folders are closed at first. */
const openMax = 200

interface FileRowsProps {
  readonly files: readonly FileState[]
  /** Absent once nothing may be taken out any more. */
  readonly onRemove?: (fileId: string) => void
  readonly onRetry?: (fileId: string) => void
}

/** What is being sent, file by file: how far each is, and what is wrong with it. */
export function FileRows({ files, onRemove, onRetry }: FileRowsProps) {
  return (
    <Tree
      files={files}
      isOpen={files.length <= openMax}
      row={(file) => <Row file={file} onRemove={onRemove} onRetry={onRetry} />}
    />
  )
}

const troubled = new Set(['failed', 'skipped', 'changed', 'missing'])

function Row({ file, onRemove, onRetry }: Omit<FileRowsProps, 'files'> & { file: FileState }) {
  const { id, path, size, sent, state } = file
  const name = nameOf(path)
  const mayRetry = state === 'failed' || state === 'changed'
  return (
    <>
      <Icon path={state === 'done' ? icons.check : troubled.has(state) ? icons.warn : icons.file} />
      <div class="main">
        <bdi>{name}</bdi>{' '}
        <small class="faint">
          {formatBytes(size)}
          {sayState(file)}
        </small>
        {state === 'sending' && (
          <progress value={sent} max={size || 1} aria-label={t('file.progress', { name })} />
        )}
        {troubled.has(state) && <p class="problem-text">{explainFile(file)}</p>}
      </div>
      {mayRetry && onRetry && (
        <Button kind="quiet" onClick={() => onRetry(id)} label={t('file.retry', { name })}>
          {t('try_again')}
        </Button>
      )}
      {onRemove && (
        <IconButton
          icon={icons.close}
          label={t('file.remove', { name })}
          onClick={(event) => {
            focusNeighbour(event.currentTarget as Element)
            onRemove(id)
          }}
        />
      )}
    </>
  )
}

function sayState({ state, sent, size }: FileState): string {
  if (state === 'waiting') return ''
  if (state === 'sending') return ` · ${formatPercent(size === 0 ? 1 : sent / size)}`
  return ` · ${t(`file.${state}`)}`
}

function explainFile({ state, problem }: FileState): string {
  const key = `file.problem.${state === 'missing' ? state : problem?.code}`
  return hasText(key) ? t(key) : (problem?.message ?? t('error.unknown'))
}
