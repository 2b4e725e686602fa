import { page } from '../http/answer.ts'
import { renderPage } from '../http/html.ts'
import { operation } from '../http/operation.ts'
import { CodedError } from '../lib/errors.ts'
import type { Users } from '../users/users.ts'
import type { Assets } from './assets.ts'

export interface PagesRoom {
  readonly users: Users
  readonly assets: Assets
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
  async handle() {
    return page(
      renderPage(
        'Transfer service',
        `<h1>Transfer service</h1>
<p>This service sends files. Open the link you were given, or use the API with your account.</p>`,
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
  answers: pageAnswer,
  errors: [],
  async handle(room) {
    if (!(await room.users.isEmpty())) {
      return page(renderPage('Set up', '<h1>This service is set up</h1>'), 404)
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
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" maxlength="256" required>
<button>Create</button>
<p id="problem" role="alert"></p>
</form>
<script src="/static/setup.js"></script>`,
      ),
    )
  },
})

export const asset = declare({
  id: 'asset',
  method: 'GET',
  path: '/static/{asset}',
  summary: 'A file of the web pages',
  tag: 'Pages',
  auth: 'none',
  answers: { 200: { description: 'The file', contentType: 'application/octet-stream' } },
  errors: ['not_found'],
  async handle(room, { params }) {
    const found = room.assets.find(params['asset']!)
    if (!found) throw new CodedError('not_found')
    return found
  },
})
