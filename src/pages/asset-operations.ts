// Files of the web pages, and the images and colours of this deployment.
import * as v from 'valibot'
import { etagOf, type AssetAnswer } from '../http/answer.ts'
import { refuseAsScript } from '../http/headers.ts'
import { assetAnswers, operation } from '../http/operation.ts'
import type { RequestContext } from '../http/request-context.ts'
import { noted, optional, text } from '../http/schema.ts'
import { requireFound } from '../lib/errors.ts'
import { inAccentColor } from './accented-icons.ts'
import type { PageDeps } from './deps.ts'
import { themeStyle } from './theme.ts'

const open = { tag: 'Pages', auth: 'none' } as const

export const themeSheet = (deps: PageDeps) =>
  operation({
    id: 'themeStyle',
    method: 'GET',
    path: '/theme.css',
    summary: 'Get the colours and shapes of this deployment',
    ...open,
    answers: assetAnswers({ description: 'The style sheet', contentType: 'text/css' }),
    async handle({ context }) {
      const body = Buffer.from(themeStyle(deps.settings.values, context.basePath))
      return { kind: 'asset', contentType: 'text/css; charset=utf-8', body, etag: etagOf(body) }
    },
  })

const brandingImage =
  (id: string, path: string, summary: string, setting: 'logo' | 'logoDark') => (deps: PageDeps) =>
    operation({
      id,
      method: 'GET',
      path,
      summary,
      ...open,
      answers: assetAnswers({ description: 'The image', contentType: 'image/*' }),
      errors: ['not_found', 'not_a_script'],
      handle: async ({ context }) => imageAnswer(context, deps.settings.values[setting]),
    })

export const logoImage = brandingImage(
  'logoImage',
  '/logo',
  'Get the logo of this deployment',
  'logo',
)

export const darkLogoImage = brandingImage(
  'darkLogoImage',
  '/logo-dark',
  'Get the logo of this deployment for dark pages, if any',
  'logoDark',
)

/** @throws CodedError not_found without an image, not_a_script */
function imageAnswer(context: RequestContext, dataUrl: string): AssetAnswer {
  refuseAsScript(context)
  const found = requireFound(/^data:([^;]+);base64,(.*)$/s.exec(dataUrl))
  const body = Buffer.from(found[2]!, 'base64')
  return { kind: 'asset', contentType: found[1]!, body, etag: etagOf(body) }
}

export const groundImage = (deps: PageDeps) =>
  operation({
    id: 'groundImage',
    method: 'GET',
    path: '/ground-picture',
    summary: 'Get the picture behind the card of public pages, if any',
    ...open,
    query: v.object({
      v: noted(optional(text(0, 100)), 'Its version: browsers then keep it for a year', '1'),
    }),
    answers: assetAnswers({ description: 'The image', contentType: 'image/*' }),
    errors: ['not_found', 'not_a_script'],
    async handle({ context, query }) {
      refuseAsScript(context)
      const picture = requireFound(await deps.settings.groundPicture())
      const { contentType, body, version } = picture
      const isImmutable = query.v === version
      return { kind: 'asset', contentType, body, etag: `"${version}"`, isImmutable }
    },
  })

export const asset = (deps: PageDeps) =>
  operation({
    id: 'asset',
    method: 'GET',
    path: '/static/{asset}',
    summary: 'Get a static file of the web pages',
    ...open,
    answers: assetAnswers({ description: 'The file', contentType: '*/*' }),
    async handle({ params }) {
      const name = params['asset']!
      const file = requireFound(deps.assets.find(name))
      return inAccentColor(name, file, deps.settings.values.accentColor)
    },
  })

export const builtAsset = (deps: PageDeps) =>
  operation({
    id: 'builtAsset',
    method: 'GET',
    path: '/static/app/{builtAsset}',
    summary: 'Get a script or style of the web pages; its name changes with its content',
    ...open,
    answers: assetAnswers({ description: 'The file', contentType: '*/*' }, ['ETag', 'Vary']),
    handle: async ({ params }) => requireFound(deps.assets.findBuilt(params['builtAsset']!)),
  })
