import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/share.ts'
import { common } from './common.ts'
import { preview } from './preview.ts'
import { theme } from './theme.ts'
import { unlock } from './unlock.ts'

export const texts = {
  ...common,
  ...preview,
  ...theme,
  ...unlock,
  'share.as_grid': 'Visa som rutnät',
  'share.as_list': 'Visa som lista',
  'share.is.busy': 'Tjänsten är upptagen. Din nedladdning startar automatiskt om en stund.',
  'share.download_chosen': 'Ladda ner {count} ({size})',
  'share.found': ['{n} fil hittades', '{n} filer hittades'],
  'share.left': ['{n} person till kan ladda ner', '{n} personer till kan ladda ner'],
  'share.left_none': 'nedladdningsgränsen är nådd för andra',
  'share.is.offline':
    'Ingen anslutning. Din nedladdning startar automatiskt när du är online igen.',
  'share.search': 'Sök filer',
  'share.is.started':
    'Din webbläsare laddar ner. Om nedladdningen stannar, tryck på Återuppta där.',
  'share.is.started_all':
    'Din webbläsare laddar ner. Om nedladdningen stannar, tryck på Återuppta där eller ladda ner ' +
    'filerna en i taget.',
  'share.too_scattered':
    'För många separata filer för en nedladdning. Markera färre filer eller hela mappar.',
  'share.is.used_up': 'Du har redan använt din nedladdning. Fråga avsändaren.',
  'common.show_more': 'Visa fler ({left} kvar)',
} satisfies Same<typeof english>
