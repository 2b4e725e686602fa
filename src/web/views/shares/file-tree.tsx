import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ListedFile } from '../../lib/share.ts'
import { nameOf, type Leaf } from '../../lib/tree.ts'
import * as icons from '../../ui/icons.ts'
import { RemovalTools, RemoveButton } from '../../ui/removal.tsx'
import { Choice, FolderChoice, useSelection } from '../../ui/selection.tsx'
import { Tree } from '../../ui/tree.tsx'
import { DownloadLink, FileEntry, FileWords, PreviewButton, usePreview } from '../share/entry.tsx'
import { sharedFileOf } from '../share/shared.ts'

/** Files in folders, with the actions on each. */
export function FileTree(props: {
  readonly files: readonly ListedFile[]
  readonly addressOf: (fileId: Leaf['id']) => string
  readonly onRemove?: ((files: readonly Leaf[]) => void) | undefined
  /** Above the list; `begin` starts the selection of files to remove. */
  readonly tools?: (begin: () => void) => ComponentChildren
}) {
  const { files, addressOf, onRemove, tools } = props
  const ids = files.map(({ id, damaged, thumbnail }) => `${id}${damaged}${thumbnail}`).join()
  const leaves = useMemo(() => files.map(sharedFileOf), [ids])
  const selection = useSelection()
  const isChoosing = selection.ids.value !== null
  const { open, dialog } = usePreview(leaves, { hrefOf: ({ id }) => addressOf(id) })
  return (
    <>
      {onRemove && tools && (
        <RemovalTools files={leaves} {...{ selection, onRemove }}>
          {tools}
        </RemovalTools>
      )}
      <Tree
        files={leaves}
        folderLead={(folder) => isChoosing && <FolderChoice {...{ selection, folder }} />}
        folderActions={(folder) =>
          onRemove &&
          !isChoosing && (
            <span class="row-tight">
              <RemoveButton name={folder.name} of={folder} icon={icons.trash} onRemove={onRemove} />
            </span>
          )
        }
        row={(file) => {
          const name = nameOf(file.path)
          const shown = { file, name, href: addressOf(file.id), onOpen: open }
          if (isChoosing) {
            return (
              <Choice selection={selection} id={file.id}>
                <FileWords {...shown} />
              </Choice>
            )
          }
          return (
            <>
              <FileEntry {...shown} />
              <span class="row-tight">
                <PreviewButton {...shown} />
                {!file.isDamaged && <DownloadLink {...shown} />}
                {onRemove && (
                  <RemoveButton name={name} of={file} icon={icons.trash} onRemove={onRemove} />
                )}
              </span>
            </>
          )
        }}
      />
      {dialog}
    </>
  )
}
