import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../lib/api.ts'
import { t } from '../../lib/i18n.ts'
import { useLoad } from '../../ui/state.tsx'
import { colorPattern, imageUrl } from './branding-fields.tsx'
import type { Values } from './setting-table.ts'

interface Shade {
  readonly accent: string
  readonly onAccent: string
  /** Only with a background colour. */
  readonly ground?: string
  readonly onGround?: string
  readonly tone?: string
}
const names = ['light', 'dark'] as const
type Theme = Readonly<Record<(typeof names)[number], Shade>>

/**
 * Preview of Send and of the download page. An unreadable colour is shown lighter or darker, as on
 * pages, with a note; the service computes it.
 */
export function BrandingPreview({ values }: { readonly values: Values }) {
  const accent = String(values['accentColor']).toLowerCase()
  const given = String(values['groundColor'])
  const ground = colorPattern.test(given) ? given : ''
  const isColor = colorPattern.test(accent)
  const asked = new URLSearchParams({ accent, ground }).toString()
  const loaded = useLoad<Theme | null>(
    async (signal) => (isColor ? api('GET', `/api/admin/theme?${asked}`, { signal }) : null),
    [asked],
  )
  const theme = loaded.data
  return (
    <section class="stack">
      <h2>{t('settings.preview')}</h2>
      <div role="status">
        {isColor &&
          theme &&
          names
            .filter((name) => theme[name].accent !== accent)
            .map((name) => (
              <p class="notice" key={name}>
                {t(`settings.color_${name}`, { color: theme[name].accent })}
              </p>
            ))}
      </div>
      <div class="previews">
        {theme &&
          names.map((name) => <Pane key={name} name={name} shade={theme[name]} values={values} />)}
      </div>
    </section>
  )
}

/** As in src/pages/theme.ts. */
const radii: Readonly<Record<string, string>> = { sharp: '0px', round: '1.25rem' }

/** Pictures of buttons and links, which cannot be pressed. */
function Pane(props: {
  readonly name: 'light' | 'dark'
  readonly shade: Shade
  readonly values: Values
}) {
  const { name, shade, values } = props
  const pane = useRef<HTMLDivElement>(null)
  const picture = imageUrl(String(values['groundPicture']))
  const tokens = {
    '--accent': shade.accent,
    '--on-accent': shade.onAccent,
    '--backdrop': shade.ground,
    '--glow': shade.tone,
    '--glow-2': shade.tone,
    '--on-backdrop': shade.onGround,
    '--radius': radii[String(values['cornerRadius'])],
    '--picture': picture && `linear-gradient(light-dark(#0000, #0009) 0 0), url("${picture}")`,
  }
  useEffect(() => {
    for (const [token, value] of Object.entries(tokens)) {
      pane.current?.style.setProperty(token, value ?? '')
    }
  }, [shade, picture, values['cornerRadius']])
  const logo = String((name === 'dark' && values['logo'] && values['logoDark']) || values['logo'])
  return (
    <div class={`pane stack ${name}${picture && ' pictured'}`} ref={pane}>
      <p class="brand">
        {logo && <img src={logo} alt="" />}
        {String(values['appName'])}
      </p>
      <div class="card">
        <div class="drop">
          <b>{t('send.title')}</b>
          <span class="button primary">{t('drop.add_files')}</span>
        </div>
        <b>{t('settings.preview_title')}</b>
        <p class="link">{t('settings.preview_link')}</p>
        <span class="button primary">{t('settings.preview_download')}</span>
      </div>
      <p>
        <small>{t('common.imprint')}</small>
      </p>
    </div>
  )
}
