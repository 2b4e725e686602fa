// The service worker of the installed app. Its scope is the address of the share target alone: it
// takes what other apps share, and never sees another request. Pages are not cached, so that an
// update of the service is never hidden behind an old copy.
import { addressOf } from '../lib/base-path.ts'
import { browserClock } from '../lib/clock.ts'
import { keepShared } from '../lib/shared-files.ts'

/** The part of FetchEvent that it uses. */
interface FetchEvent extends Event {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

const filesMax = 1000
const textLengthMax = 100_000

addEventListener('fetch', (event) => {
  const { request } = event as FetchEvent
  // A scope is a prefix. The service answers everything else.
  const isTarget = new URL(request.url).pathname === addressOf('/share-target')
  if (isTarget && request.method === 'POST') (event as FetchEvent).respondWith(receive(request))
})

/** Without anything that waits, the Send view says so. */
async function receive(request: Request): Promise<Response> {
  await keep(request).catch(() => {})
  return Response.redirect(addressOf('/?shared=1'), 303)
}

async function keep(request: Request): Promise<void> {
  const form = await request.formData()
  const at = browserClock.now()
  const files = form
    .getAll('files')
    .filter((file): file is File => file instanceof File && file.name !== '')
    .slice(0, filesMax)
    // Files of forms have no time: Chromium gives the present one at each look, and they would
    // seem to have changed before they are sent.
    .map((file) => new File([file], file.name, { type: file.type, lastModified: at }))
  const text = ['title', 'text', 'url']
    .map((name) => form.get(name))
    .filter((value): value is string => typeof value === 'string' && value !== '')
    .join('\n')
    .slice(0, textLengthMax)
  if (files.length === 0 && text === '') return
  await keepShared({ at, files, text })
}
