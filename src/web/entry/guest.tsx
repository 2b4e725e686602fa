import { render } from 'preact'
import { loadTexts } from '../lib/i18n.ts'
import { linkToBase } from '../lib/links.ts'
import { surviveTranslation } from '../lib/translated.ts'
import { readPageData } from '../lib/page-data.ts'
import { Guest } from '../views/guest/guest.tsx'
import type { RequestData } from '../views/guest/request.ts'
import { followTheme, offerThemes } from '../ui/theme-choice.tsx'
import { Unlock } from '../ui/unlock.tsx'

type PageData =
  | RequestData
  | { readonly state: 'locked'; readonly id: string }
  | { readonly state: 'not_found' | 'expired' }

async function start(data: PageData): Promise<void> {
  await loadTexts('guest')
  offerThemes()
  if (data.state === 'locked') {
    const place = document.getElementById('unlock')!
    const path = `/api/public/reverse/${data.id}/verify`
    render(<Unlock path={path} onUnlocked={() => location.reload()} />, place)
  } else if (data.state === 'open') {
    const main = document.getElementById('main')!
    main.replaceChildren()
    render(<Guest request={data} />, main)
  }
}

linkToBase()
surviveTranslation()
followTheme()
void start(readPageData())
