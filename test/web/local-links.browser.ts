// Links that begin with localhost, on a page that was opened by another name.
import { browserSuite } from '../helpers/browser.ts'
import { makeLink, type Client } from '../helpers/client.ts'
import { untilCount } from '../helpers/until.ts'
import { shown, startScene } from './sender.ts'

const links = browserSuite('web: local links')

const warning = 'Links begin with http://localhost:8080'

const env = { BASE_URL: 'http://localhost:8080' }
const scene = await startScene(links, { env, as: 'admin', mail: false })

async function pagesOf(client: Client): Promise<string[]> {
  const shareId = await client.share({ a: 'a' })
  const id = await makeLink(client, { name: 'Papers' })
  return ['/shares', `/shares/${shareId}`, '/requests', `/requests/${id}`]
}

for (const [what, who, onLan] of [
  ['warn administrators wherever a link is shown', 'admin', true],
  ['warn no other account', 'user', true],
  ['not warn on the machine itself', 'admin', false],
] as const) {
  links(`should ${what}`, async () => {
    const client = who === 'admin' ? scene.owner : await scene.service.user('ann@example.org')
    const isWarned = who === 'admin' && onLan
    const browser = await scene.another(client, { onLan })
    const advice = `such as ${new URL(browser.address('/')).origin}, and restart`
    for (const address of [...(await pagesOf(client)), ...(who === 'admin' ? ['/admin'] : [])]) {
      const page = await browser.open(address)
      await shown(page.getByText(/^(a|Papers)$|No problems with storage|such as/))
      await untilCount(page.getByText(warning), isWarned ? 1 : 0, address)
      await untilCount(page.getByText(advice), isWarned ? 1 : 0, address)
      if (isWarned) await untilCount(page.getByText('No problems with storage'), 0)
    }
  })
}
