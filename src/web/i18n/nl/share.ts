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
  'share.as_grid': 'Als raster tonen',
  'share.as_list': 'Als lijst tonen',
  'share.is.busy': 'De dienst heeft het druk. Je download begint zo meteen automatisch.',
  'share.download_chosen': '{count} downloaden ({size})',
  'share.found': ['{n} bestand gevonden', '{n} bestanden gevonden'],
  'share.left': ['nog {n} persoon kan downloaden', 'nog {n} personen kunnen downloaden'],
  'share.left_none': 'downloadlimiet bereikt voor anderen',
  'share.is.offline': 'Geen verbinding. Je download begint automatisch als je weer online bent.',
  'share.search': 'Bestanden zoeken',
  'share.is.started':
    'Je browser is aan het downloaden. Als de download stopt, kies daar dan Hervatten.',
  'share.is.started_all':
    'Je browser is aan het downloaden. Als de download stopt, kies daar dan Hervatten of ' +
    'download de bestanden één voor één.',
  'share.too_scattered':
    'Te veel losse bestanden voor één download. Selecteer minder bestanden of hele mappen.',
  'share.is.used_up': 'Je hebt je download al gebruikt. Vraag de afzender.',
  'common.show_more': 'Meer tonen (nog {left})',
} satisfies Same<typeof english>
