import { render } from 'preact'
import { loadTexts } from '../lib/i18n.ts'
import { linkToBase } from '../lib/links.ts'
import { readPageData } from '../lib/page-data.ts'
import { applyTheme } from '../lib/theme.ts'
import { Page, showUnloaded } from '../ui/page.tsx'
import { Setup } from '../views/setup/setup.tsx'

async function start(): Promise<void> {
  await loadTexts('setup')
  const { isOpen } = readPageData<{ isOpen: boolean }>()
  render(
    <Page homeless>
      <Setup isOpen={isOpen} />
    </Page>,
    document.body,
  )
}

linkToBase()
applyTheme()
void start().catch(showUnloaded)
