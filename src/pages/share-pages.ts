import * as v from 'valibot'
import { page, type Answer } from '../http/answer.ts'
import { escapeHtml, escapeName } from '../http/html.ts'
import { homeLink, renderCard, renderHead, renderMessage, renderRing } from './card.ts'
import type { LinkPreview } from './shell.ts'
import { operation } from '../http/operation.ts'
import { noted, optional } from '../http/schema.ts'
import { withoutDirectionMarks } from '../lib/names.ts'
import { CodedError } from '../lib/errors.ts'
import { chooseLanguage, chooseLocale } from '../http/negotiation.ts'
import * as spoken from '../lib/language.ts'
import { pageTexts, type PageTexts } from '../i18n/texts.ts'
import { downloadsLeft } from '../shares/access.ts'
import * as admission from '../shares/downloads/admission.ts'
import type { DraftProgress } from '../shares/draft-progress-sql.ts'
import { phaseOf, progressOf, type UploadPhase } from '../shares/progress.ts'
import { viewShare } from '../shares/downloads/operations.ts'
import type { FilesSummary } from '../shares/public-shares.ts'
import type { Share } from '../shares/sql.ts'
import { byPlace, renderDownloads, renderFiles } from './page-files.ts'
import { firstViewOf, renderStrip } from '../shares/thumbnails/pictures.ts'
import { codeOutcomes, renderCodeForm, renderPasswordForm, type CodeOutcome } from './link-forms.ts'
import type { PageDeps } from './deps.ts'

const listedMax = 1000
/** From src/web/views/share/files.tsx: its search field has a place from the beginning. */
const searchMin = 31
/** A longer message goes below the button, so that the button is on a phone's first screen. */
const shortMessageMax = 300

/** States with forms that need no script. */
const formStates: ReadonlySet<unknown> = new Set(['locked', 'code'])
/** States whose card holds one small form. */
const isNarrow = new Set(['locked', 'code', 'account'])

interface PageContent {
  readonly title: string
  /** HTML. */
  readonly body: string
  readonly preview?: LinkPreview
  readonly status?: number
}

/** The page behind a share's link. Lists and downloads work without JavaScript. */
export const sharePage = (deps: PageDeps) =>
  operation({
    id: 'sharePage',
    method: 'GET',
    path: '/s/{shareId}',
    summary: 'The page of a share',
    tag: 'Pages',
    auth: 'none',
    answers: {
      200: { description: 'The page', contentType: 'text/html' },
      404: { description: 'A page that says so', contentType: 'text/html' },
      410: { description: 'A page that says so', contentType: 'text/html' },
    },
    query: v.object({
      code: noted(optional(v.picklist(codeOutcomes)), 'What became of a code or password'),
    }),
    errors: ['expired', 'download_limit', 'rate_limited'],
    async load(call) {
      const [result] = await Promise.allSettled([viewShare(deps, call, true)])
      return result
    },
    async handle({ context, query }, result) {
      const view = new View(deps, context.header('accept-language'))
      if (result.status === 'rejected') return view.refusal(result.reason)
      const found = result.value
      const { share, isUnlocked } = found
      if (found.missing !== null) return view.unproved(found, found.missing, query.code ?? null)
      if (share.state === 'draft') {
        return view.uploading(found, await deps.publicShares.received(found))
      }
      if (!isUnlocked) return view.locked(found, query.code ?? null)
      return view.open(found, await deps.publicShares.summarize(share, listedMax))
    },
  })

/**
 * The page in one language. Its script (src/web/entry/share.tsx) reads the list from the rows, and
 * replaces `#files` with its own.
 */
class View {
  readonly #deps: PageDeps
  readonly #language: spoken.Language
  readonly #locale: string
  readonly #texts: PageTexts['share']

  constructor(deps: PageDeps, wanted: string | undefined) {
    this.#deps = deps
    this.#language = chooseLanguage(wanted, deps.settings.values.language)
    this.#locale = chooseLocale(wanted, this.#language)
    this.#texts = pageTexts[this.#language].share
  }

  open(found: admission.VisibleShare, files: FilesSummary): Answer {
    const { share } = found
    const name = admission.linkNameOf(found)
    const texts = this.#texts
    const { timeZone } = this.#deps.settings.values
    const dates = spoken.dateFormatIn(timeZone, this.#locale)
    const size = spoken.sizeIn(this.#language, share.totalSize)
    const count = texts.files(files.count)
    const day = share.expiresAt && this.#day(share.expiresAt.toISOString(), spoken.timeStyle)
    const end = day ? `<span>${texts.until} ${day}</span>` : ''
    const left = downloadsLeft(share)
    // The holder of a lease still gets in when none are left.
    const sayLeft = left === null ? '' : texts.left(left)
    const words = { texts, language: this.#language, dates }
    const message = renderWords(share)
    const view = firstViewOf(files)
    const listed = { ...files, first: files.first.toSorted(byPlace(this.#locale)) }
    const head = files.count > 1 ? `<div class="row spread files-head"><h2>${count}</h2></div>` : ''
    const isShort = share.message.length <= shortMessageMax
    // A file alone stands above its button if the title does not name it.
    const isLone = files.count === 1 && files.damaged === 0
    const isFirst = isLone && share.name !== ''
    const list = `<div id="files"${isLone ? ` class="lone${isFirst ? ' titled' : ''}"` : ''}>${head}
${files.count >= searchMin ? '<div class="search"></div>' : ''}
${renderFiles(words, name, listed, view)}</div>`
    const body = `${isShort ? message : ''}
${view === 'grid' ? '' : renderStrip(name, listed)}${isFirst ? list : ''}
<div class="stack-tight">${renderDownloads(words, name, files)}
<p class="facts">${end}<span id="left">${sayLeft}</span></p>
${left ? `<p id="left-hint" class="facts faint">${texts.leftHint}</p>` : ''}</div>
<div id="notice"></div>${isShort ? '' : message}${isFirst ? '' : list}`
    const data = { state: 'open', id: name, count: files.count, view }
    const isProtected = share.passwordHash !== null
    const shownName = shownNameOf(share, files)
    const preview = isProtected
      ? this.#generic(texts.locked)
      : this.#preview(share, shownName, [count, size])
    return this.#sharePage(found, body, data, preview, { name: shownName })
  }

  /** A personal link whose holder has yet to show that it is theirs. */
  unproved(
    found: admission.VisibleShare,
    missing: 'code' | 'account',
    outcome: CodeOutcome | null,
  ): Answer {
    const { share: texts, home } = pageTexts[this.#language]
    const name = admission.linkNameOf(found)
    const address = `<bdi>${escapeHtml(admission.maskAddress(found.link?.email ?? ''))}</bdi>`
    const signIn = `/login?next=${encodeURIComponent(`/s/${name}`)}`
    const words = outcome === null ? texts.proofCode : texts.codeSent
    const body =
      missing === 'code'
        ? `<p>${words(address)}</p>
${renderCodeForm(texts, name, outcome)}`
        : `<p>${texts.proofAccount(address)}</p>
<p><a class="button primary wide" href="${escapeHtml(signIn)}">${home.signIn}</a></p>`
    return this.#sharePage(found, body, { state: missing }, this.#generic(texts.untitled))
  }

  locked(found: admission.VisibleShare, outcome: CodeOutcome | null): Answer {
    const { share } = found
    const texts = this.#texts
    const name = admission.linkNameOf(found)
    const ownerName = withoutDirectionMarks(share.ownerName)
    const body = `<p>${ownerName ? escapeHtml(texts.lockedBy(ownerName)) : texts.locked}</p>
${renderPasswordForm(texts, name, outcome)}
<div id="files"></div>`
    const data = { state: 'locked', id: name }
    return this.#sharePage(found, body, data, this.#generic(texts.locked))
  }

  /**
   * A published draft: there is nothing to download yet. Progress is no live region, because screen
   * readers would repeat it again and again.
   */
  uploading(found: admission.VisibleShare, received: DraftProgress | null): Answer {
    const { share, isUnlocked } = found
    const { uploading, openAgain } = this.#texts
    const phase = phaseOf(received, this.#deps.clock.now())
    const progress = phase === 'abandoned' ? null : progressOf(share, received)
    const percent = progress === null ? null : spoken.percentIn(this.#language, progress)
    const isSized = isUnlocked && share.expectedBytes > 0 && phase !== 'abandoned'
    const size = isSized ? spoken.sizeIn(this.#language, share.expectedBytes) : ''
    const body = `${isUnlocked ? renderWords(share) : ''}
<p>${this.#phase(share, received?.lastAt ?? null, phase, percent)}</p>
${size && `<p class="facts">${size}</p>`}
<noscript><p>${openAgain}</p></noscript>`
    const data = { state: 'uploading', id: admission.linkNameOf(found), phase }
    const ring = progress === null ? undefined : renderRing(progress, percent!)
    return this.#sharePage(found, body, data, this.#generic(uploading('')), { picture: ring })
  }

  #phase(share: Share, lastAt: Date | null, phase: UploadPhase, percent: string | null): string {
    const texts = this.#texts
    if (phase === 'running') {
      // For screen readers, where a ring shows it.
      const said = percent === null ? '>' : ` class="visually-hidden"> (${percent})`
      return texts.uploading(`<span id="progress"${said}</span>`)
    }
    if (phase === 'abandoned') return texts.abandoned(escapeName(share.ownerName))
    const ago = spoken.relativeIn(this.#language, lastAt!.getTime() - this.#deps.clock.now())
    const time = `<time datetime="${lastAt!.toISOString()}" data-ago>${ago}</time>`
    return texts.paused(percent, time)
  }

  /** What messengers may show of a share that everyone with the link may see. */
  #preview(share: Share, name: string, sums: readonly string[]): LinkPreview {
    const { untitled, from } = this.#texts
    const owner = withoutDirectionMarks(share.ownerName)
    const facts = [...sums, ...(owner ? [from(owner)] : [])]
    return { title: name || untitled, description: facts.join(' · '), image: this.#picture() }
  }

  /** That of the deployment, or one of ours (build/dev/draw-icons.mjs). */
  #picture(): NonNullable<LinkPreview['image']> {
    const { baseUrl, settings } = this.#deps
    const { groundPicture } = settings.values
    if (groundPicture !== '') return { url: `${baseUrl}/ground-picture?v=${groundPicture}` }
    return { url: `${baseUrl}/static/preview.png`, width: 1200, height: 630 }
  }

  /** What messengers may show of a share that is protected, still uploading, or over. */
  #generic(description: string): LinkPreview {
    return { title: this.#texts.untitled, description }
  }

  refusal(error: unknown): Answer {
    if (!(error instanceof CodedError)) throw error
    const texts = this.#refusalTexts(error)
    if (!texts) throw error
    const { title, text, end } = texts
    const { code, status } = error
    const isOver = code === 'expired' || code === 'download_limit'
    const preview = isOver ? { preview: this.#generic(title) } : {}
    const sign = isOver ? 'over' : 'nothing'
    // The start page has nothing for recipients, but may show where a wrong address is mended.
    const more = isOver ? '' : homeLink(this.#language)
    const body = renderMessage({ sign, title, text: `<p>${text}</p>${end}`, more })
    return this.#page({ title, body, status, ...preview }, { state: code })
  }

  /** HTML. */
  #refusalTexts({ code, details }: CodedError): Record<'title' | 'text' | 'end', string> | null {
    const { notFound, expired, usedUp, endedOn } = this.#texts
    const { since, ownerName = '' } = details as { since?: string; ownerName?: string }
    const owner = escapeName(ownerName)
    if (code === 'not_found') return { ...notFound, end: '' }
    const end = since ? `\n<p class="faint">${endedOn} ${this.#day(since)}</p>` : ''
    if (code === 'expired') return { ...expired, text: expired.text(owner), end }
    return code === 'download_limit' ? { ...usedUp, text: usedUp.text(owner), end: '' } : null
  }

  /**
   * Shows the sender beside the title, and what to do with the link below.
   * @param more its name, without one that of its only file; and the HTML of a picture in the
   *   place of the sender's initials
   */
  #sharePage(
    found: admission.VisibleShare,
    body: string,
    data: { readonly state: string; readonly phase?: UploadPhase },
    preview: LinkPreview,
    more: { readonly name?: string; readonly picture?: string | undefined } = {},
  ): Answer {
    const { share } = found
    const { name = shownNameOf(share), picture } = more
    const { untitled, sent, sending } = this.#texts
    const ownerName = withoutDirectionMarks(share.ownerName)
    const say = share.state === 'draft' ? sending : sent
    // The text of an abandoned upload names its sender.
    const isSaid = ownerName !== '' && data.phase !== 'abandoned'
    const title = name || untitled
    const head = renderHead(title, ownerName, isSaid ? say(ownerName) : '', picture)
    const card = renderCard(head, body + this.#more(found), isNarrow.has(data.state))
    return this.#page({ title, body: card, preview }, data)
  }

  #page(deps: PageContent, data: object): Answer {
    const { title, body, preview, status = 200 } = deps
    const { linkPreviews } = this.#deps.settings.values
    const rendered = this.#deps.shell.render({
      entry: 'share',
      title,
      // Programs that find no preview take the window's title.
      ...(linkPreviews ? {} : { windowTitle: this.#texts.untitled }),
      language: this.#language,
      body,
      data,
      ...('state' in data && formStates.has(data.state) ? { hasForms: true } : {}),
      ...(preview && linkPreviews ? { preview } : {}),
    })
    return page(rendered, status)
  }

  /** The link for a phone, and where to report abuse. The image is loaded on demand. */
  #more(found: admission.VisibleShare): string {
    const { qrCode, qrCodeImage, report } = this.#texts
    const image = `/api/public/shares/${admission.linkNameOf(found)}/qr-code`
    const complaint = this.#complaint(found)
    const link =
      complaint && `<a class="button quiet" href="${escapeHtml(complaint)}">${report}</a>`
    return `
<div class="last${complaint ? '' : ' wide-only'}"><details class="wide-only">
<summary>${qrCode}</summary>
<img class="qr" src="${image}" alt="${qrCodeImage}" width="240" height="240" loading="lazy">
</details>
${link}</div>`
  }

  /** A mailto address carries the link in its subject. */
  #complaint(found: admission.VisibleShare): string {
    const { reportUrl } = this.#deps.settings.values
    if (!reportUrl.startsWith('mailto:') || reportUrl.includes('?')) return reportUrl
    const url = this.#deps.shareUrl(admission.linkedShareOf(found))
    return `${reportUrl}?subject=${encodeURIComponent(url)}`
  }

  /** In the service's time zone; the page's script uses the recipient's. */
  #day(moment: string, time?: typeof spoken.timeStyle): string {
    const { timeZone } = this.#deps.settings.values
    const now = this.#deps.clock.now()
    const day = spoken.nearDayIn(timeZone, this.#locale, new Date(moment), now, time)
    return `<time datetime="${moment}"${time ? ' data-end' : ''}>${day}</time>`
  }
}

function renderWords({ message }: Share): string {
  return message ? `<p class="text" dir="auto">${escapeHtml(message)}</p>` : ''
}

/** The name of a share: without one, that of its only file; empty for several. */
function shownNameOf({ name }: Share, files?: FilesSummary): string {
  // A file may have been added after the first ones were read.
  const path = (files?.count === 1 && files.first[0]?.originalName) || ''
  return withoutDirectionMarks(name || path.slice(path.lastIndexOf('/') + 1))
}
