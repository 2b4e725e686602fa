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
  'share.as_grid': 'Mostra come griglia',
  'share.as_list': 'Mostra come elenco',
  'share.is.busy': 'Il servizio è occupato. Il download inizierà automaticamente tra poco.',
  'share.download_chosen': 'Scarica {count} ({size})',
  'share.found': ['{n} file trovato', '{n} file trovati'],
  'share.left': ['ancora {n} persona può scaricare', 'ancora {n} persone possono scaricare'],
  'share.left_none': 'limite di download raggiunto per gli altri',
  'share.is.offline':
    'Connessione assente. Il download inizierà automaticamente quando torna la connessione.',
  'share.search': 'Cerca nei file',
  'share.is.started': 'Il browser sta scaricando. Se si ferma, premi Riprendi nel browser.',
  'share.is.started_all':
    'Il browser sta scaricando. Se si ferma, premi Riprendi nel browser o scarica i file uno ' +
    'alla volta.',
  'share.too_scattered':
    'Troppi file singoli per un solo download. Seleziona meno file o cartelle intere.',
  'share.is.used_up': 'Hai già usato il tuo download. Rivolgiti al mittente.',
  'common.show_more': 'Mostra altro (ancora {left})',
} satisfies Same<typeof english>
