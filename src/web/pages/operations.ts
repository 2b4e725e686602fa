import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { json, page, type Answer, type AssetAnswer } from '../../http/answer.ts'
import type { RequestContext } from '../../http/request-context.ts'
import { refuseAsScript } from '../../http/fetch-metadata.ts'
import type { PageShell, PageSpec } from './shell.ts'
import { assetAnswers, operation } from '../../http/operation.ts'
import { named, noted } from '../../http/schema.ts'
import { CodedError } from '../../lib/errors.ts'
import { chooseLanguage } from '../../http/negotiation.ts'
import type { Settings } from '../../settings/settings.ts'
import { defaultSettings } from '../../settings/table.ts'
import type { Users } from '../../accounts/users/users.ts'
import type { Assets } from './assets.ts'
import { readableShades, themeStyle } from './theme.ts'

export interface PagesDeps {
  readonly users: Users
  /** Whether an SMTP server is configured. */
  readonly sendsEmail: () => boolean
  readonly assets: Assets
  readonly settings: Settings
  readonly shell: PageShell
}

const tag = 'Pages'
const pageAnswer = { 200: { description: 'The page', contentType: 'text/html' } }
const withoutScript = `<noscript>
<p class="plain">This page needs JavaScript. The API does everything it does.</p>
</noscript>`

/** The views of the signed-in app, as in its router (src/web/views/routes.ts). */
const appPaths = {
  sendPage: '/',
  sharesPage: '/shares',
  shareDetailPage: '/shares/{shareId}',
  shareTabPage: '/shares/{shareId}/{view}',
  requestsPage: '/requests',
  newRequestPage: '/requests/new',
  requestDetailPage: '/requests/{reverseId}',
  requestTabPage: '/requests/{reverseId}/{view}',
  accountPage: '/account',
  accountSectionPage: '/account/{view}',
  adminPage: '/admin',
  adminSectionPage: '/admin/{view}',
  adminSettingsPage: '/admin/{view}/{section}',
}

/** Read by src/web/entry/app.tsx before it shows anything. */
const firstReads = ['/api/account', '/api/auth/2fa/status']

export const appPages = Object.entries(appPaths).map(
  ([id, path]) =>
    (deps: PagesDeps) =>
      operation({
        id,
        method: 'GET',
        path,
        summary: 'Get the web UI for account holders',
        tag,
        auth: 'none',
        answers: pageAnswer,
        errors: [],
        async handle({ context }) {
          const title = deps.settings.values.appName
          const data = { sendsEmail: deps.sendsEmail() }
          return scriptedPage(deps, context, { entry: 'app', title, reads: firstReads, data })
        },
      }),
)

export const loginPage = (deps: PagesDeps) =>
  operation({
    id: 'loginPage',
    method: 'GET',
    path: '/login',
    summary: 'Get the sign-in page',
    tag,
    auth: 'none',
    answers: pageAnswer,
    errors: [],
    handle: async ({ context }) => loginAnswer(deps, context, 'Sign in'),
  })

export const passwordResetPage = (deps: PagesDeps) =>
  operation({
    id: 'passwordResetPage',
    method: 'GET',
    path: '/reset-password',
    summary: 'Get the page that sets a new password with the token of an emailed link',
    tag,
    auth: 'none',
    answers: pageAnswer,
    errors: [],
    handle: async ({ context }) => loginAnswer(deps, context, 'New password'),
  })

export const invitationPage = (deps: PagesDeps) =>
  operation({
    id: 'invitationPage',
    method: 'GET',
    path: '/invitation',
    summary: 'Get the page on which invited people set their password',
    tag,
    auth: 'none',
    answers: pageAnswer,
    errors: [],
    handle: async ({ context }) => loginAnswer(deps, context, 'Invitation'),
  })

function loginAnswer(deps: PagesDeps, context: RequestContext, title: string): Answer {
  // Without SMTP the page must not promise an email for a forgotten password.
  const data = { sendsEmail: deps.sendsEmail() }
  return scriptedPage(deps, context, { entry: 'login', title, data })
}

/** A page that consists of its script. Without a cookie the user is not signed in: no preloads. */
function scriptedPage(
  { shell }: PagesDeps,
  context: RequestContext,
  { reads = [], ...spec }: Pick<PageSpec, 'entry' | 'title' | 'reads' | 'data'>,
): Answer {
  const likelyLanguage = chooseLanguage(context.header('accept-language'))
  const early = context.header('cookie') === undefined ? [] : reads
  return page(shell.render({ ...spec, body: withoutScript, likelyLanguage, reads: early }))
}

export const setupPage = (deps: PagesDeps) =>
  operation({
    id: 'setupPage',
    method: 'GET',
    path: '/setup',
    summary: 'Get the page that creates the first administrator',
    tag,
    auth: 'none',
    answers: {
      ...pageAnswer,
      404: { description: 'An administrator already exists', contentType: 'text/html' },
    },
    errors: [],
    async handle() {
      const { shell, users } = deps
      const data = { isOpen: await users.isEmpty() }
      const setup = shell.render({ entry: 'setup', title: 'Set up', body: withoutScript, data })
      return page(setup, data.isOpen ? 200 : 404)
    },
  })

export const themeSheet = (deps: PagesDeps) =>
  operation({
    id: 'themeStyle',
    method: 'GET',
    path: '/theme.css',
    summary: 'Get the colours of this deployment',
    tag,
    auth: 'none',
    answers: assetAnswers({ description: 'The style sheet', contentType: 'text/css' }),
    errors: [],
    async handle() {
      const { settings } = deps
      const { accentColor } = settings.values
      const isDefault = accentColor === defaultSettings.accentColor
      return {
        kind: 'asset',
        contentType: 'text/css; charset=utf-8',
        body: Buffer.from(isDefault ? '' : themeStyle(accentColor)),
        etag: `"${accentColor.slice(1)}"`,
      }
    },
  })

const shadeSchema = v.object({
  accent: noted(v.string(), 'Colour of links and buttons', '#1d5fc4'),
  onAccent: noted(v.string(), 'Colour of text on the accent colour', '#ffffff'),
})

export const previewTheme = () =>
  operation({
    id: 'previewTheme',
    method: 'GET',
    path: '/api/admin/theme',
    summary: 'Get readable light and dark shades for an accent colour',
    tag: 'Administration',
    auth: 'admin',
    scope: 'administer',
    query: v.object({
      accent: noted(
        v.pipe(v.string(), v.regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #1d5fc4')),
        'The accent colour',
        '#1d5fc4',
      ),
    }),
    answers: {
      200: {
        description: 'The colours, `#rrggbb`',
        schema: named('Theme', v.object({ light: shadeSchema, dark: shadeSchema })),
      },
    },
    errors: ['invalid_input', 'unauthorized', 'forbidden'],
    async handle({ query }) {
      return json(readableShades(query.accent))
    },
  })

export const logoImage = (deps: PagesDeps) =>
  operation({
    id: 'logoImage',
    method: 'GET',
    path: '/logo',
    summary: 'Get the logo of this deployment',
    tag,
    auth: 'none',
    answers: assetAnswers({ description: 'The image', contentType: 'image/*' }),
    errors: ['not_found', 'not_a_script'],
    handle: async ({ context }) => imageAnswer(context, deps.settings.values.logo),
  })

export const darkLogoImage = (deps: PagesDeps) =>
  operation({
    id: 'darkLogoImage',
    method: 'GET',
    path: '/logo-dark',
    summary: 'Get the logo of this deployment for dark pages, if any',
    tag,
    auth: 'none',
    answers: assetAnswers({ description: 'The image', contentType: 'image/*' }),
    errors: ['not_found', 'not_a_script'],
    handle: async ({ context }) => imageAnswer(context, deps.settings.values.logoDark),
  })

/** @throws CodedError not_found without an image, not_a_script */
function imageAnswer(context: RequestContext, dataUrl: string): AssetAnswer {
  refuseAsScript(context)
  const found = /^data:([^;]+);base64,(.*)$/s.exec(dataUrl)
  if (!found) throw new CodedError('not_found')
  const body = Buffer.from(found[2]!, 'base64')
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { kind: 'asset', contentType: found[1]!, body, etag }
}

export const asset = (deps: PagesDeps) =>
  operation({
    id: 'asset',
    method: 'GET',
    path: '/static/{asset}',
    summary: 'Get a static file of the web pages',
    tag,
    auth: 'none',
    answers: assetAnswers({ description: 'The file', contentType: '*/*' }),
    errors: ['not_found'],
    handle: async ({ params }) => found(deps.assets.find(params['asset']!)),
  })

export const builtAsset = (deps: PagesDeps) =>
  operation({
    id: 'builtAsset',
    method: 'GET',
    path: '/static/app/{builtAsset}',
    summary: 'Get a script or style of the web pages; its name changes with its content',
    tag,
    auth: 'none',
    answers: assetAnswers({ description: 'The file', contentType: '*/*' }, ['ETag', 'Vary']),
    errors: ['not_found'],
    handle: async ({ params }) => found(deps.assets.findBuilt(params['builtAsset']!)),
  })

/** @throws CodedError not_found */
function found(answer: AssetAnswer | null): AssetAnswer {
  if (!answer) throw new CodedError('not_found')
  return answer
}
