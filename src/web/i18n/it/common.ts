import type { Same } from '../../lib/i18n.ts'
import type { common as english } from '../en/common.ts'
import { basics } from './basics.ts'

export const common = {
  ...basics,
  'common.add': 'Aggiungi',
  'common.back': 'Indietro',
  'common.cancel': 'Annulla',
  'common.close': 'Chiudi',
  'common.download': 'Scarica',
  'file.damaged': 'Danneggiato',
  'common.files': ['{n} file', '{n} file'],
  'common.name': 'Nome',
  'common.next': 'Avanti',
  'common.remove': 'Rimuovi',
  'common.save': 'Salva',
  'common.saved': 'Salvato',
  'common.skip_to_content': 'Vai al contenuto',
  'common.undo': 'Annulla',
  'select.all': 'Seleziona tutto',
  'select.begin': 'Seleziona',
  'select.end': 'Fine',
  'select.folder': 'Seleziona la cartella {name}',
  'select.none': 'Deseleziona tutto',
  'error.common_password': 'Questa password è troppo comune.',
  'error.conflict': 'È in conflitto con qualcosa che esiste già.',
  'error.disk_full': 'Il disco del servizio è pieno. Il gestore deve liberare spazio.',
  'error.expired': 'Il link è scaduto.',
  'error.forbidden': 'Solo gli amministratori possono farlo.',
  'error.invalid_input': 'I dati inseriti non sono stati accettati. {message}',
  'error.mail_not_configured': 'L’email non è configurata per questo servizio.',
  'error.payload_too_large': 'Supera la dimensione consentita dal servizio.',
  'error.quota_exceeded':
    'La tua quota di archiviazione è esaurita. Elimina dei file per liberare spazio.',
} satisfies Same<typeof english>
