/**
 * The path below which the service is published: '' or, for example, `/files`. Pages have it in
 * their HTML (src/pages/shell.ts); the worker has none, and takes the folder of its script.
 */
const basePath =
  globalThis.document?.documentElement.dataset['base'] ??
  location.pathname.slice(0, -'/share-target.js'.length)

/** The path of the service at an address of this host; '' for one outside of the service. */
export function pathAt(address: string): string {
  return address.startsWith(`${basePath}/`) ? address.slice(basePath.length) : ''
}

/** The address of a path of the service: with the base path, unless it has it already. */
export const addressOf = (path: string) =>
  path[0] === '/' && !pathAt(path) ? basePath + path : path

/** The name of a database in the browser, which services on one host must not share. */
export const storeOf = (name: string) => addressOf(`/${name}`).slice(1)

/** Loads another page of the service. */
export const goTo = (path: string) => location.assign(addressOf(path))
