import { useMemo } from 'preact/hooks'
import { t } from '../../lib/i18n.ts'
import { nameOf, type Leaf } from '../../lib/tree.ts'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { focusNeighbour } from '../../lib/focus.ts'
import * as icons from '../../ui/icons.ts'
import { Tree } from '../../ui/tree.tsx'
import { FileEntry, usePreview } from '../share/entry.tsx'
import type { OwnFile } from './share-state.tsx'

/** Files in folders, with the actions on each. */
export function FileTree(props: {
  readonly files: readonly OwnFile[]
  readonly addressOf: (fileId: Leaf['id']) => string
  readonly onRemove?: ((file: Leaf) => void) | undefined
}) {
  const { files, addressOf, onRemove } = props
  const ids = files.map(({ id, damaged }) => `${id}${damaged}`).join()
  const leaves = useMemo(
    () =>
      files.map((file) => ({
        id: file.id,
        path: file.original_name,
        size: file.size,
        type: file.mime_type,
        isDamaged: file.damaged ?? false,
      })),
    [ids],
  )
  const { open, dialog } = usePreview(leaves, ({ id }) => addressOf(id))
  return (
    <>
      <Tree
        files={leaves}
        row={(file) => {
          const name = nameOf(file.path)
          const address = addressOf(file.id)
          return (
            <>
              <FileEntry file={file} name={name} href={address} onOpen={open} />
              {!file.isDamaged && (
                <ButtonLink
                  kind="quiet"
                  icon={icons.download}
                  href={address}
                  label={t('manage.download_one', { name })}
                  download
                >
                  <span class="wide-only">{t('download')}</span>
                </ButtonLink>
              )}
              {onRemove && (
                <IconButton
                  icon={icons.trash}
                  label={t('file.remove', { name })}
                  onClick={({ currentTarget }) => {
                    focusNeighbour(currentTarget as Element)
                    onRemove(file)
                  }}
                />
              )}
            </>
          )
        }}
      />
      {dialog}
    </>
  )
}
