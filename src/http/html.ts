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

/**
 * A page that asks for the password of a link.
 * @param words says what is protected
 * @param verifyPath the operation that takes the password
 */
export function renderUnlock(
  title: string,
  words: string,
  verifyPath: string,
  frame: PageFrame,
): string {
  return renderPage(
    title,
    `<h1>${escapeHtml(title)}</h1>
<form id="unlock" data-verify="${escapeHtml(verifyPath)}">
<label for="password">${escapeHtml(words)}</label>
<input id="password" type="password" autocomplete="off" maxlength="256" required>
<button>Unlock</button>
<p id="problem" role="alert"></p>
<noscript><p>Unlocking needs JavaScript, or the API.</p></noscript>
</form>
<script src="/static/unlock.js"></script>`,
    frame,
  )
}

function renderLink(address: string, text: string): string {
  return address ? `<a href="${escapeHtml(address)}" rel="noreferrer">${text}</a>` : ''
}
