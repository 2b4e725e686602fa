import { page } from '../http/answer.ts'
import { assetAnswers, operation } from '../http/operation.ts'
import { CodedError } from '../lib/errors.ts'
import { escapeHtml, renderPage } from '../http/html.ts'
import type { Settings } from '../settings/settings.ts'
import { defaultSettings } from '../settings/table.ts'
import type { Users } from '../users/users.ts'
import type { Assets } from './assets.ts'

export interface PagesRoom {
  readonly users: Users
  readonly assets: Assets
  readonly settings: Settings
}

const declare = operation<PagesRoom>()
const pageAnswer = { 200: { description: 'The page', contentType: 'text/html' } }

export const homePage = declare({
  id: 'homePage',
  method: 'GET',
  path: '/',
  summary: 'Says what runs here',
  tag: 'Pages',
  auth: 'none',
  answers: pageAnswer,
  errors: [],
  async handle(room) {
    const frame = room.settings.values
    const welcome =
      frame.welcomeText ||
      'This service sends files. Open the link you were given, or use the API with your account.'
    return page(
      renderPage(
        'Welcome',
        `<h1>${escapeHtml(frame.appName)}</h1>
<p class="message">${escapeHtml(welcome)}</p>`,
        frame,
      ),
    )
  },
})

export const setupPage = declare({
  id: 'setupPage',
  method: 'GET',
  path: '/setup',
  summary: 'Creates the first administrator',
  tag: 'Pages',
  auth: 'none',
  answers: {
    ...pageAnswer,
    404: { description: 'There is an administrator already', contentType: 'text/html' },
  },
  errors: [],
  async handle(room) {
    const frame = room.settings.values
    if (!(await room.users.isEmpty())) {
      return page(renderPage('Set up', '<h1>This service is set up</h1>', frame), 404)
    }
    return page(
      renderPage(
        'Set up',
        `<h1>Create the administrator's account</h1>
<form id="setup">
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="254" required>
<label for="name">Name</label>
<input id="name" name="name" autocomplete="name" maxlength="200" required>
<label for="password">Password, at least 8 characters</label>
<input id="password" name="password" type="password" autocomplete="new-password"
  minlength="8" maxlength="256" required>
<button>Create</button>
<p id="problem" role="alert"></p>
</form>
<script src="/static/setup.js"></script>`,
        frame,
      ),
    )
  },
})

export const brandingStyle = declare({
  id: 'brandingStyle',
  method: 'GET',
  path: '/branding.css',
  summary: 'The colours of this deployment, for its pages',
  tag: 'Pages',
  auth: 'none',
  answers: assetAnswers({ description: 'The style sheet', contentType: 'text/css' }),
  errors: [],
  async handle(room) {
    const { accentColor } = room.settings.values
    const isDefault = accentColor === defaultSettings.accentColor
    const style = isDefault ? '' : `:root { --accent: ${accentColor}; }\n`
    return {
      kind: 'asset',
      contentType: 'text/css; charset=utf-8',
      body: Buffer.from(style),
      etag: `"${accentColor.slice(1)}"`,
    }
  },
})

export const asset = declare({
  id: 'asset',
  method: 'GET',
  path: '/static/{asset}',
  summary: 'A file of the web pages',
  tag: 'Pages',
  auth: 'none',
  answers: assetAnswers({ description: 'The file', contentType: '*/*' }),
  errors: ['not_found'],
  async handle(room, { params }) {
    const found = room.assets.find(params['asset']!)
    if (!found) throw new CodedError('not_found')
    return found
  },
})
