// The web UI as an installed app: its manifest, and the address to which other apps share.
import { etagOf, redirect } from '../http/answer.ts'
import { chooseLanguage } from '../http/negotiation.ts'
import { assetAnswers, operation } from '../http/operation.ts'
import { pageTexts } from '../i18n/texts.ts'
import type { Language } from '../lib/language.ts'
import { readableShades } from './theme.ts'
import type { PageDeps } from './deps.ts'

const open = { tag: 'Pages', auth: 'none' } as const
const shareTargetPath = '/share-target'

export const webManifest = (deps: PageDeps) =>
  operation({
    id: 'webManifest',
    method: 'GET',
    path: '/manifest.webmanifest',
    summary: 'Get the manifest of the web UI, with which browsers install it as an app',
    ...open,
    answers: assetAnswers(
      { description: 'The manifest', contentType: 'application/manifest+json' },
      ['ETag', 'Vary'],
    ),
    async handle({ context }) {
      const { basePath } = context
      const { appName, accentColor, homePage, language: fallback } = deps.settings.values
      const language = chooseLanguage(context.header('accept-language'), fallback)
      // With a query, so that the home page for visitors never opens in its place.
      const start = `${basePath}${homePage === 'signIn' ? '/' : '/?app=1'}`
      const app = { name: appName, accentColor, language, basePath, start }
      const body = Buffer.from(JSON.stringify(describeApp(app)))
      return {
        kind: 'asset',
        contentType: 'application/manifest+json; charset=utf-8',
        body,
        etag: etagOf(body),
        headers: { Vary: 'Accept-Language' },
      }
    },
  })

/** @see https://www.w3.org/TR/appmanifest/ and https://w3c.github.io/web-share-target/ */
function describeApp(app: {
  readonly name: string
  readonly accentColor: string
  readonly language: Language
  readonly basePath: string
  readonly start: string
}) {
  const { name, accentColor, language: lang, basePath, start } = app
  const { send, requests } = pageTexts[lang].app
  const icon = (file: string, side: number, purpose: 'any' | 'maskable') => ({
    src: `${basePath}/static/${file}.png`,
    sizes: `${side}x${side}`,
    type: 'image/png',
    purpose,
  })
  return {
    id: `${basePath}/`,
    name,
    short_name: name,
    lang,
    start_url: start,
    scope: `${basePath}/`,
    display: 'standalone',
    theme_color: readableShades(accentColor).light.accent,
    background_color: '#ffffff',
    icons: [
      icon('icon-192', 192, 'any'),
      icon('icon-512', 512, 'any'),
      icon('icon-maskable', 512, 'maskable'),
    ],
    shortcuts: [
      { name: send, url: start },
      { name: requests, url: `${basePath}/requests` },
    ],
    share_target: {
      action: basePath + shareTargetPath,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: {
        title: 'title',
        text: 'text',
        url: 'url',
        files: [{ name: 'files', accept: ['*/*'] }],
      },
    },
  }
}

export const shareTargetWorker = (deps: PageDeps) =>
  operation({
    id: 'shareTargetWorker',
    method: 'GET',
    path: `${shareTargetPath}.js`,
    summary: 'Get the service worker that takes what other apps share with the installed app',
    ...open,
    answers: assetAnswers({ description: 'The script', contentType: 'text/javascript' }, [
      'ETag',
      'Vary',
    ]),
    handle: async () => deps.assets.shareTarget(),
  })

/** Without its worker, a browser sends shared files here. They are discarded. */
export const receiveShareTarget = () =>
  operation({
    id: 'receiveShareTarget',
    method: 'POST',
    path: shareTargetPath,
    summary: 'Refuse what other apps share before the worker is installed',
    description: 'Stores nothing. The page for sending asks users to share the files again.',
    ...open,
    answers: { 303: { description: 'To the page for sending', headers: ['Location'] } },
    handle: async ({ context }) => redirect(`${context.basePath}/?shared=1`, 303),
  })
