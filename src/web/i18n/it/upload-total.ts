import type { Same } from '../../lib/i18n.ts'
import type { uploadTotal as english } from '../en/upload-total.ts'

export const uploadTotal = {
  'picking.empty': [
    'Questa cartella è vuota e non viene aggiunta:',
    'Queste cartelle sono vuote e non vengono aggiunte:',
  ],
  'picking.refused': [
    'Questo elemento non è stato aggiunto, perché è illeggibile o il suo nome non è consentito:',
    'Questi elementi non sono stati aggiunti, perché illeggibili o con nomi non consentiti:',
  ],
  'picking.seen': ['{n} file trovato…', '{n} file trovati…'],
  'upload.busy': 'Servizio occupato',
  'upload.bytes': '{done} di {all}',
  'upload.finishing': 'in completamento',
  'upload.hold.files': 'Alcuni file richiedono attenzione: riprova, sceglili di nuovo o rimuovili.',
  'upload.hold.quota': 'Spazio insufficiente per questi file. L’avanzamento è conservato.',
  'upload.hold.removed': 'È stato eliminato o è scaduto. Non vengono accettati altri file.',
  'upload.hold.server_full':
    'Il disco del servizio è pieno. L’avanzamento è conservato e il caricamento continua ' +
    'automaticamente.',
  'upload.hold.sign_in':
    'La tua sessione è terminata, ma l’avanzamento è conservato. Apri di nuovo il link.',
  'upload.hold.too_large': 'Supera la dimensione consentita dal servizio. Rimuovi dei file.',
  'upload.left': 'termina tra {left}',
  'upload.lost': 'Connessione persa',
  'upload.pause': 'Pausa',
  'upload.paused': 'in pausa',
  'upload.progress': 'Avanzamento del caricamento',
  'upload.progress_at': 'Caricamento: {percent}',
  'upload.resume': 'Riprendi',
  'upload.seconds': '{seconds} s',
  'upload.speed': '{bytes}/s',
  'upload.tryNow': 'Riprova ora',
  'upload.waiting': 'nuovo tentativo tra {left}',
} satisfies Same<typeof english>
