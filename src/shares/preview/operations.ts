import * as v from 'valibot'
import { initialsOf } from '../../lib/initials.ts'
import { chooseLanguage } from '../../http/negotiation.ts'
import { assetAnswers, operation } from '../../http/operation.ts'
import { noted, optional, text } from '../../http/schema.ts'
import { withoutDirectionMarks } from '../../lib/direction-marks.ts'
import { CodedError } from '../../lib/errors.ts'
import { languages, sizeIn, type Language } from '../../lib/language.ts'
import { admitToView } from '../admission.ts'
import { pageTexts } from '../../i18n/texts.ts'
import { shownNameOf } from '../pages.ts'
import { recipientOf } from '../public-operations.ts'
import type { ShareDeps } from '../deps.ts'

/** Named by the page of the share: see pages.ts. */
export const getSharePreview = (deps: ShareDeps) =>
  operation({
    id: 'getSharePreview',
    method: 'GET',
    path: '/api/public/shares/{shareId}/preview.png',
    summary: 'Get the picture that messengers show of a link to a share without a password',
    tag: 'Public shares',
    auth: 'none',
    limit: { name: 'getPreview', counts: 'authorised' },
    query: v.object({
      language: noted(
        optional(v.picklist(languages)),
        'If absent, by `Accept-Language`, or the setting `language`',
        'de',
      ),
      v: noted(optional(text(0, 100)), 'Ignored: makes addresses change with the share', '1'),
    }),
    answers: assetAnswers(
      { description: 'A picture of 1200 by 630 pixels', contentType: 'image/png' },
      ['ETag', 'Vary'],
    ),
    errors: ['invalid_input', 'not_found', 'expired', 'download_limit', 'rate_limited'],
    async load({ context, params }) {
      const { share } = await admitToView(
        deps.admission,
        params['shareId']!,
        recipientOf(deps.admission, context),
      )
      const { linkPreviews } = deps.settings.values
      const isShown = linkPreviews && share.state === 'complete' && share.passwordHash === null
      if (!isShown) throw new CodedError('not_found')
      return share
    },
    async handle({ query, context }, share) {
      const { appName, accentColor, groundColor, ...settings } = deps.settings.values
      const language = drawable(
        query.language ?? chooseLanguage(context.header('accept-language'), settings.language),
      )
      const { files, untitled } = pageTexts[language].share
      const { first, count } = await deps.publicShares.summarize(share, 1)
      const sender = withoutDirectionMarks(share.ownerName)
      const { etag, png } = await deps.previews.picture({
        title: shownNameOf(share, first[0]) || untitled,
        untitled,
        facts: `${files(count)} · ${sizeIn(language, share.totalSize)}`,
        sender,
        initials: sender && initialsOf(sender),
        appName,
        accentColor,
        groundColor,
      })
      const headers = query.language ? {} : { Vary: 'Accept-Language' }
      return { kind: 'asset', contentType: 'image/png', body: png, etag, headers }
    },
  })

/** English in place of languages whose letters the pictures do not have (letters.ts). */
function drawable(language: Language): Language {
  const { script = '' } = new Intl.Locale(language).maximize()
  return ['Latn', 'Cyrl'].includes(script) ? language : 'en'
}
