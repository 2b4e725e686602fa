export { openUploads } from '../upload/browser.ts'
export { collectDropped, collectPicked } from '../upload/walk.ts'
