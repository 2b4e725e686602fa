import * as v from 'valibot'
import { json, page, type Answer, type PageAnswer } from '../http/answer.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { PageSpec } from './shell.ts'
import { administration, ok, operation, type Operation } from '../http/operation.ts'
import { named, noted } from '../http/schema.ts'
import type { Language } from '../lib/language.ts'
import { chooseLanguage } from '../http/negotiation.ts'
import { color, colorOrNone } from '../settings/schemas.ts'
import { chooseHome, homeAnswer, isWithoutAccounts, notSetUpAnswer } from './home.ts'
import { previewColors } from './theme.ts'
import type { PageDeps } from './deps.ts'
import { reversePage } from './request-pages.ts'
import { enterLinkCode, requestLinkCode, unlockLink } from './link-forms.ts'
import { sharePage } from './share-pages.ts'
import * as assets from './asset-operations.ts'
import { receiveShareTarget, shareTargetWorker, webManifest } from './installed-app.ts'

const pageAnswer = { 200: { description: 'The page', contentType: 'text/html' } }
const shown = { tag: 'Pages', auth: 'none', answers: pageAnswer } as const
const withoutScript = `<noscript>
<p class="plain">This page needs JavaScript. The API does everything it does.</p>
</noscript>`

/** The views of the signed-in app except the first, as in src/web/views/routes.ts. */
const appPaths = {
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
/** Read by src/web/views/send/send.tsx with its first view. */
const sendReads = [...firstReads, '/api/limits']

const appPages = Object.entries(appPaths).map(([id, path]) =>
  scriptedOperation(id, path, 'Get the web UI for account holders', appAnswer),
)

/** A page that is the same for everyone until its script runs. */
function scriptedOperation(
  id: string,
  path: string,
  summary: string,
  answer: (deps: PageDeps, context: RequestContext) => Answer,
) {
  return (deps: PageDeps) =>
    operation({
      id,
      method: 'GET',
      path,
      summary,
      ...shown,
      handle: async ({ context }) => answer(deps, context),
    })
}

const sendPage = (deps: PageDeps) =>
  operation({
    id: 'sendPage',
    method: 'GET',
    path: '/',
    summary: 'Get the web UI for account holders, or what the setting `homePage` shows others',
    ...shown,
    answers: {
      ...pageAnswer,
      302: { description: 'To the setting `homeRedirect`', headers: ['Location'] },
    },
    load: ({ context, search }) =>
      chooseHome(deps, {
        hasQuery: search.size > 0,
        host: context.header('host') ?? '',
        isSignedIn: () => deps.credentials.hasSession(context),
      }),
    handle: async ({ context }, home) =>
      home === 'app'
        ? appAnswer(deps, context, sendReads)
        : homeAnswer(deps, home, languageOf(deps, context)),
  })

function appAnswer(deps: PageDeps, context: RequestContext, reads = firstReads): Answer {
  const title = deps.settings.values.appName
  const data = {
    sendsEmail: deps.emails.isConfigured,
    baseUrl: deps.baseUrl,
    proxyUser: deps.proxyUsers.peek(context),
    logoutUrl: deps.proxyUsers.logoutUrl,
  }
  return scriptedPage(deps, context, { entry: 'app', title, reads, data })
}

const loginPage = (deps: PageDeps) =>
  operation({
    id: 'loginPage',
    method: 'GET',
    path: '/login',
    summary: 'Get the sign-in page; before the set-up, a page that says so',
    ...shown,
    load: async () => ({
      isNew: await isWithoutAccounts(deps),
      // While the database does not answer, the page comes without them.
      providers: await deps.providers.list().catch(() => []),
    }),
    handle: async ({ context }, { isNew, providers }) =>
      isNew
        ? notSetUpAnswer(deps, languageOf(deps, context))
        : loginAnswer(deps, context, 'Sign in', {
            passwordSignIn: deps.settings.values.passwordSignIn,
            signUp: deps.signUp.isOn,
            providers: providers.map(({ id, name }) => ({ id, name })),
          }),
  })

const passwordResetPage = scriptedOperation(
  'passwordResetPage',
  '/reset-password',
  'Get the page that sets a new password with the token of an emailed link',
  (deps, context) => loginAnswer(deps, context, 'New password'),
)

const invitationPage = scriptedOperation(
  'invitationPage',
  '/invitation',
  'Get the page on which invited people set their password',
  (deps, context) => loginAnswer(deps, context, 'Invitation'),
)

const signUpPage = (deps: PageDeps) =>
  operation({
    id: 'signUpPage',
    method: 'GET',
    path: '/sign-up',
    summary: 'Get the page on which people ask for an account, and create it behind the link',
    ...shown,
    // While the database does not answer, the page comes all the same.
    load: ({ context }) => deps.credentials.hasSession(context).catch(() => false),
    handle: async ({ context }, isSignedIn) =>
      loginAnswer(deps, context, 'Create an account', { signUp: deps.signUp.isOn, isSignedIn }),
  })

/** For pages that come without their script's texts. */
function languageOf({ settings }: PageDeps, context: RequestContext): Language {
  return chooseLanguage(context.header('accept-language'), settings.values.language)
}

function loginAnswer(
  deps: PageDeps,
  context: RequestContext,
  title: string,
  more: object = {},
): Answer {
  // Without SMTP the page must not promise an email for a forgotten password.
  const data = {
    sendsEmail: deps.emails.isConfigured,
    proxyUser: deps.proxyUsers.peek(context),
    ...more,
  }
  return scriptedPage(deps, context, { entry: 'login', title, data })
}

/** A page that consists of its script. Without a cookie the user is not signed in: no preloads. */
function scriptedPage(
  { shell }: PageDeps,
  context: RequestContext,
  { reads = [], ...spec }: Pick<PageSpec, 'entry' | 'title' | 'reads' | 'data'>,
): PageAnswer {
  const likelyLanguage = chooseLanguage(context.header('accept-language'))
  const early = context.header('cookie') === undefined ? [] : reads
  return page(shell.render({ ...spec, body: withoutScript, likelyLanguage, reads: early }))
}

const setupPage = (deps: PageDeps) =>
  operation({
    id: 'setupPage',
    method: 'GET',
    path: '/setup',
    summary: 'Get the page that creates the first administrator',
    ...shown,
    answers: {
      ...pageAnswer,
      404: { description: 'An administrator already exists', contentType: 'text/html' },
    },
    async handle({ context }) {
      const data = { isOpen: await deps.users.isEmpty() }
      const status = data.isOpen ? 200 : 404
      return { ...scriptedPage(deps, context, { entry: 'setup', title: 'Set up', data }), status }
    },
  })

const shadeSchema = v.object({
  accent: noted(v.string(), 'Colour of links and buttons', '#1d5fc4'),
  onAccent: noted(v.string(), 'Colour of text on the accent colour', '#ffffff'),
  ground: noted(v.optional(v.string()), 'Colour behind the card, if one was given', '#0b3d2e'),
  onGround: noted(v.optional(v.string()), 'Colour of text on the ground', '#ffffff'),
  tone: noted(v.optional(v.string()), 'Colour of the pattern on the ground', '#ffffff0f'),
})

const previewTheme = () =>
  operation({
    id: 'previewTheme',
    method: 'GET',
    path: '/api/admin/theme',
    summary: 'Get readable light and dark shades for an accent colour and a ground',
    ...administration,
    query: v.object({
      accent: noted(color, 'The accent colour', '#1d5fc4'),
      ground: noted(v.optional(colorOrNone, ''), 'The colour behind the card', '#0b3d2e'),
    }),
    answers: ok(
      'The colours, `#rrggbb` or `#rrggbbaa`',
      named('Theme', v.object({ light: shadeSchema, dark: shadeSchema })),
    ),
    handle: async ({ query }) => json(previewColors(query.accent, query.ground)),
  })

export function pageOperations(deps: PageDeps): Operation[] {
  return [
    sharePage,
    requestLinkCode,
    enterLinkCode,
    unlockLink,
    reversePage,
    sendPage,
    ...appPages,
    loginPage,
    setupPage,
    passwordResetPage,
    invitationPage,
    signUpPage,
    assets.asset,
    assets.builtAsset,
    assets.themeSheet,
    previewTheme,
    assets.logoImage,
    assets.groundImage,
    assets.darkLogoImage,
    webManifest,
    shareTargetWorker,
    receiveShareTarget,
  ].map((declare) => declare(deps))
}
