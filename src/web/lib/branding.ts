/** Data of this deployment in the shell of every page. */
export interface Branding {
  readonly appName: string
  readonly hasLogo: boolean
  readonly hasDarkLogo: boolean
  readonly welcomeText: string
  readonly imprintUrl: string
  readonly privacyUrl: string
}

export const branding: Branding = readBranding()

function readBranding(): Branding {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="branding"]')
  return JSON.parse(meta?.content ?? '{}') as Branding
}
