const replacements: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Makes any text safe between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => replacements[character] as string)
}

/** What is around every page: the deployment's name and links. */
export interface PageFrame {
  readonly appName: string
  /** A data: URL, or empty. */
  readonly logo: string
  readonly imprintUrl: string
  readonly privacyUrl: string
}

/** A whole page around a body. The title is text, the body is HTML of ours. */
export function renderPage(title: string, body: string, frame: PageFrame): string {
  const { logo, imprintUrl, privacyUrl } = frame
  const appName = escapeHtml(frame.appName)
  const image = logo ? `<img class="logo" src="${escapeHtml(logo)}" alt="">` : ''
  const links = [renderLink(imprintUrl, 'Imprint'), renderLink(privacyUrl, 'Privacy')].join('')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · ${appName}</title>
<link rel="stylesheet" href="/static/style.css">
<link rel="stylesheet" href="/branding.css">
</head>
<body>
<header>${image}${appName}</header>
<main>
${body}
</main>
<footer>${links}</footer>
</body>
</html>
`
}

function renderLink(address: string, text: string): string {
  return address ? `<a href="${escapeHtml(address)}" rel="noreferrer">${text}</a>` : ''
}
