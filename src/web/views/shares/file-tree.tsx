import { useMemo } from 'preact/hooks'
import { formatBytes } from '../../lib/format.ts'
import { t } from '../../lib/i18n.ts'
import { listedPath, type ListedFile } from '../../lib/share.ts'
import { nameOf, type Leaf } from '../../lib/tree.ts'
import { ButtonLink } from '../../ui/button.tsx'
import * as icons from '../../ui/icons.ts'
import { RemovalTools, RemoveButton } from '../../ui/removal.tsx'
import { Choice, FolderChoice, useSelection } from '../../ui/selection.tsx'
import { Tree } from '../../ui/tree.tsx'
import { FileEntry, usePreview } from '../share/entry.tsx'

/** Files in folders, with the actions on each. */
export function FileTree(props: {
  readonly files: readonly ListedFile[]
  readonly addressOf: (fileId: Leaf['id']) => string
  readonly onRemove?: ((files: readonly Leaf[]) => void) | undefined
}) {
  const { files, addressOf, onRemove } = props
  const ids = files.map(({ id, damaged }) => `${id}${damaged}`).join()
  const leaves = useMemo(
    () =>
      files.map((file) => ({
        id: file.id,
        path: listedPath(file),
        size: file.size,
        type: file.mime_type,
        isDamaged: file.damaged ?? false,
      })),
    [ids],
  )
  const selection = useSelection()
  const isChoosing = selection.ids.value !== null
  const { open, dialog } = usePreview(leaves, ({ id }) => addressOf(id))
  return (
    <>
      {onRemove && <RemovalTools files={leaves} {...{ selection, onRemove }} />}
      <Tree
        files={leaves}
        folderLead={(folder) => isChoosing && <FolderChoice {...{ selection, folder }} />}
        folderActions={(folder) =>
          onRemove &&
          !isChoosing && (
            <RemoveButton name={folder.name} of={folder} icon={icons.trash} onRemove={onRemove} />
          )
        }
        row={(file) => {
          const name = nameOf(file.path)
          const address = addressOf(file.id)
          if (isChoosing) {
            return (
              <Choice selection={selection} id={file.id}>
                <span>
                  <bdi>{name}</bdi> <small class="faint">{formatBytes(file.size)}</small>
                </span>
              </Choice>
            )
          }
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
                <RemoveButton name={name} of={file} icon={icons.trash} onRemove={onRemove} />
              )}
            </>
          )
        }}
      />
      {dialog}
    </>
  )
}
