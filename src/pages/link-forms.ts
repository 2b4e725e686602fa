// The steps before a share, as forms that need no script: the code from an email that named people
// enter, and the password.
import { redirect, type Answer } from '../http/answer.ts'
import { readBody } from '../http/body.ts'
import { operation, type LoadCall } from '../http/operation.ts'
import type { PageTexts } from '../i18n/texts.ts'
import { CodedError } from '../lib/errors.ts'
import { codeDigits } from '../shares/personal-links/codes.ts'
import { acceptCode, findCodedLink } from '../shares/personal-links/public-operations.ts'
import { findProtected, unlockShare } from '../shares/public-operations.ts'
import type { PageDeps } from './deps.ts'

/** Outcomes of the forms, as the page is told in its address. */
export const codeOutcomes = ['sent', 'wrong', 'wait'] as const
export type CodeOutcome = (typeof codeOutcomes)[number]

const formBytesMax = 1_000
const answers = { 303: { description: 'Back to the page', headers: ['Location'] } } as const
const errors = ['rate_limited'] as const
/** What the page of the link says by itself. */
const endings = ['not_found', 'expired', 'download_limit', 'proof_required']

export const requestLinkCode = (deps: PageDeps) =>
  operation({
    id: 'requestLinkCode',
    method: 'POST',
    path: '/s/{shareId}/code',
    summary: 'Email a code to the person of a personal link: the form of its page',
    tag: 'Pages',
    auth: 'none',
    answers,
    errors,
    load: (call) => unlessEnded(findCodedLink(deps, call)),
    async handle(call, found) {
      if (!found) return back(call, null)
      const sending = deps.linkCodes.send(found.share, found.link, call.ip)
      return sending.then(
        () => back(call, 'sent'),
        (error: unknown) => back(call, outcomeOf(error)),
      )
    },
  })

export const enterLinkCode = (deps: PageDeps) =>
  openingForm({
    id: 'enterLinkCode',
    path: '/s/{shareId}',
    summary: 'Open a personal link with the code that was emailed: the form of its page',
    field: 'code',
    find: (call) => findCodedLink(deps, call),
    open: ({ context, ip }, found, value) =>
      acceptCode(deps, context, found, value.replaceAll(/\s/g, ''), ip),
  })

/** Scripts use `verifySharePassword`. */
export const unlockLink = (deps: PageDeps) =>
  openingForm({
    id: 'unlockLink',
    path: '/s/{shareId}/unlock',
    summary: 'Unlock a protected share: the form of its page',
    field: 'password',
    find: (call) => findProtected(deps, call),
    open: async ({ context, ip }, found, value) =>
      (await unlockShare(deps, context, found, value, ip)).cookie,
  })

/** A form of one field, for which its link gives a cookie. */
function openingForm<Found>(form: {
  readonly id: string
  readonly path: string
  readonly summary: string
  readonly field: string
  readonly find: (call: LoadCall) => Promise<Found>
  readonly open: (
    call: LoadCall & { readonly ip: string },
    found: Found,
    value: string,
  ) => Promise<string>
}) {
  const { id, path, summary, field, find, open } = form
  const contentType = 'application/x-www-form-urlencoded'
  return operation({
    id,
    method: 'POST',
    path,
    summary,
    tag: 'Pages',
    auth: 'none',
    body: { kind: 'binary', contentType, description: `\`${field}\`` },
    answers: { 303: { ...answers[303], headers: ['Location', 'Set-Cookie'] } },
    errors,
    load: (call) => unlessEnded(find(call)),
    async handle(call, found) {
      if (!found) return back(call, null)
      const body = await readBody(call.context, formBytesMax)
      const value = new URLSearchParams(body.toString('utf8')).get(field) ?? ''
      return open(call, found, value).then(
        (cookie) => back(call, null, [cookie]),
        (error: unknown) => back(call, outcomeOf(error)),
      )
    },
  })
}

/** HTML. With a script, the page shows its own form. */
export function renderPasswordForm(
  texts: PageTexts['share'],
  name: string,
  outcome: CodeOutcome | null,
): string {
  const problems = { sent: '', wrong: texts.passwordWrong, wait: texts.passwordWait }
  return `<noscript><form method="post" action="/s/${name}/unlock" class="stack">
${renderProblem(outcome && problems[outcome])}
<div class="field"><label for="password">${texts.password}</label>
<input id="password" name="password" type="password" required autocomplete="off"></div>
<button class="button primary wide">${texts.codeOpen}</button></form></noscript>`
}

function renderProblem(text: string | null): string {
  return text ? `<p class="problem-text" role="alert">${text}</p>` : ''
}

/** HTML. */
export function renderCodeForm(
  texts: PageTexts['share'],
  name: string,
  outcome: CodeOutcome | null,
): string {
  const action = `/s/${name}`
  const send = (words: string, kind: string) => `<form method="post" action="${action}/code">
<button class="button ${kind} wide">${words}</button></form>`
  if (outcome === null) return send(texts.codeSend, 'primary')
  const problems = { sent: '', wrong: texts.codeWrong, wait: texts.codeWait }
  return `${renderProblem(problems[outcome])}
<form method="post" action="${action}" class="stack">
<div class="field"><label for="code">${texts.codeField}</label>
<input id="code" name="code" required inputmode="numeric" autocomplete="one-time-code"
 pattern="\\s*(\\d\\s*){${codeDigits}}" dir="ltr" autofocus></div>
<button class="button primary wide">${texts.codeOpen}</button></form>
${send(texts.codeAgain, 'quiet')}`
}

/** @throws errors that the page has no words for */
function outcomeOf(error: unknown): CodeOutcome {
  const code = error instanceof CodedError ? error.code : null
  if (code === 'wrong_code' || code === 'wrong_password') return 'wrong'
  if (code === 'rate_limited' || code === 'unavailable') return 'wait'
  throw error
}

/** Null for a link that has ended while its form was open, or that demands no code any more. */
async function unlessEnded<Found>(finding: Promise<Found>): Promise<Found | null> {
  return finding.catch((error: unknown) => {
    if (error instanceof CodedError && endings.includes(error.code)) return null
    throw error
  })
}

function back(
  { context, params }: Pick<LoadCall, 'context' | 'params'>,
  outcome: CodeOutcome | null,
  cookies: readonly string[] = [],
): Answer {
  const query = outcome === null ? '' : `?code=${outcome}`
  const place = `${context.basePath}/s/${encodeURIComponent(params['shareId']!)}`
  return redirect(`${place}${query}`, 303, cookies)
}
