import { page, redirect, type Answer } from '../http/answer.ts'
import { escapeHtml } from '../http/html.ts'
import { pageTexts } from '../i18n/texts.ts'
import { basePathOf } from '../lib/base-path.ts'
import type { Language } from '../lib/language.ts'
import { renderMessage } from './card.ts'
import type { PageSpec } from './shell.ts'
import type { PageDeps } from './deps.ts'

/** Who asks for `/`, and how. */
interface Visit {
  /** Only the bare address has a home page: the app uses queries, also before the sign-in. */
  readonly hasQuery: boolean
  /** As the request names it; '' without. */
  readonly host: string
  readonly isSignedIn: () => Promise<boolean>
}

/** What `/` shows. */
type Home = 'app' | 'notSetUp' | 'welcome' | 'redirect'

/**
 * Whether there is no account to sign in to. While the database does not answer, the usual page
 * comes, which says so itself.
 */
export function isWithoutAccounts({ users }: PageDeps): Promise<boolean> {
  return users.isEmpty().catch(() => false)
}

/** While the database does not answer, the app comes, which says so itself. */
export async function chooseHome(deps: PageDeps, visit: Visit): Promise<Home> {
  if (await isWithoutAccounts(deps)) return 'notSetUp'
  const { homePage, homeRedirect } = deps.settings.values
  if (homePage === 'signIn' || visit.hasQuery) return 'app'
  if (homePage === 'redirect' && !leadsAway(homeRedirect, visit.host, deps.baseUrl)) {
    return 'app'
  }
  const isSignedIn = await visit.isSignedIn().catch(() => true)
  return isSignedIn ? 'app' : homePage
}

/** An address of this very page would lead to itself again and again. */
function leadsAway(address: string, visitedHost: string, baseUrl: string): boolean {
  if (address === '') return false
  const { host, pathname, search } = new URL(address)
  const base = basePathOf(baseUrl)
  const isOwnHost = host === visitedHost || host === new URL(baseUrl).host
  return !isOwnHost || (pathname !== base && pathname !== `${base}/`) || search !== ''
}

/** In place of the app. */
export function homeAnswer(deps: PageDeps, home: Exclude<Home, 'app'>, language: Language): Answer {
  if (home === 'notSetUp') return notSetUpAnswer(deps, language)
  const { appName, homeText, homeRedirect } = deps.settings.values
  if (home === 'redirect') return redirect(homeRedirect)
  return page(deps.shell.render(welcomeSpec(appName, homeText, language)))
}

function welcomeSpec(appName: string, text: string, language: Language): PageSpec {
  const { title, signIn } = pageTexts[language].home
  const body = renderMessage({
    title: appName,
    text: text && `<p class="welcome" dir="auto">${escapeHtml(text)}</p>`,
    more: `<p><a class="button primary wide" href="/login">${signIn}</a></p>`,
  })
  return { entry: 'share', title, language, body, data: { state: 'welcome' } }
}

/** Which find the link, by how the service was started. */
const logCommands = [
  ['systemd', 'journalctl -u transfer-service | grep setup:'],
  ['Docker', 'docker logs transfer 2>&amp;1 | grep setup:'],
].map(
  ([how, command]) => `<div class="stack-tight"><b>${how}</b>
<div class="notice row-tight spread"><pre class="text">${command}</pre></div></div>`,
)

/** Instead of a form that could not be used. Its script only adds buttons that copy. */
export function notSetUpAnswer({ shell }: PageDeps, language: Language): Answer {
  const { title, how, command, afterwards, again } = pageTexts[language].notSetUp
  const body = renderMessage({
    sign: 'server',
    title,
    text: `<p>${how}</p>`,
    more: `<p>${command}</p>
${logCommands.join('\n')}
<p>${afterwards}</p>
<p><a class="button wide" href="">${again}</a></p>`,
  })
  const data = { isNotSetUp: true }
  return page(shell.render({ entry: 'login', title, language, body, data }))
}
