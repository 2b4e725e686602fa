import { existsSync, readdirSync, watch } from 'node:fs'
import path from 'node:path'

/** Editors write a file in several steps. */
const settleMs = 50

/**
 * Calls `onChange` with the names of changed files, shortly after the last change. One watcher per
 * folder, because the recursive ones of Node 20 lose folders that are made or renamed.
 * @param {string[]} roots
 * @param {(names: Set<string>) => void} onChange
 * @returns function that ends watching
 */
export function watchFolders(roots, onChange) {
  const watchers = new Map()
  let changed = new Set()
  let timer

  const flush = () => {
    const names = changed
    changed = new Set()
    followFolders()
    onChange(names)
  }

  function note(name) {
    changed.add(name)
    clearTimeout(timer)
    timer = setTimeout(flush, settleMs)
  }

  function followFolders() {
    const folders = new Set(roots.flatMap(foldersOf))
    for (const [folder, watcher] of watchers) {
      if (folders.has(folder)) continue
      watcher.close()
      watchers.delete(folder)
    }
    for (const folder of folders) {
      if (watchers.has(folder)) continue
      const watcher = watch(folder, (_, name) => note(path.join(folder, name ?? '')))
      // The folder was removed; it is watched again when it comes back.
      watcher.on('error', () => note(folder))
      watchers.set(folder, watcher)
    }
  }

  followFolders()
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers.values()) watcher.close()
  }
}

function foldersOf(root) {
  if (!existsSync(root)) return []
  const below = readdirSync(root, { recursive: true, withFileTypes: true })
  const folders = below.filter((entry) => entry.isDirectory())
  return [root, ...folders.map((entry) => path.join(entry.parentPath, entry.name))]
}
