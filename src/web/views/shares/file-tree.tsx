import { useMemo } from 'preact/hooks'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { nameOf, type Leaf } from '../../lib/tree.ts'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Tree } from '../../ui/tree.tsx'
import type { OwnFile } from './share-state.tsx'

/** Above so many files folders are closed at first. */
const openMax = 200

/** Files in their folders, with what can be done with each. */
export function FileTree(props: {
  readonly files: readonly OwnFile[]
  readonly addressOf: (fileId: Leaf['id']) => string
  /** Whether a name leads to a look at the file, in a new tab. */
  readonly isInline?: boolean
  readonly onRemove?: ((file: Leaf) => void) | undefined
}) {
  const { files, addressOf, isInline, onRemove } = props
  const ids = files.map(({ id }) => id).join()
  const leaves = useMemo(
    () => files.map(({ id, original_name: path, size }) => ({ id, path, size })),
    [ids],
  )
  return (
    <Tree
      files={leaves}
      isOpen={leaves.length <= openMax}
      row={(file) => {
        const name = nameOf(file.path)
        const address = addressOf(file.id)
        return (
          <>
            <Icon name="file" />
            <div class="main">
              {isInline ? (
                <a href={`${address}&inline=1`} target="_blank" rel="noopener">
                  <bdi>{name}</bdi>
                </a>
              ) : (
                <bdi>{name}</bdi>
              )}{' '}
              <small class="faint">{formatBytes(file.size)}</small>
            </div>
            <ButtonLink
              kind="quiet"
              icon="download"
              href={address}
              label={t('manage.download_one', { name })}
              download
            >
              <span class="wide-only">{t('download')}</span>
            </ButtonLink>
            {onRemove && (
              <IconButton
                icon="trash"
                label={t('file.remove', { name })}
                onClick={() => onRemove(file)}
              />
            )}
          </>
        )
      }}
    />
  )
}
