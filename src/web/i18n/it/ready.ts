import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.dead': 'non riuscita',
  'email.queued': 'in arrivo',
  'email.resend': 'Invia di nuovo',
  'email.resend_to': 'Invia di nuovo a {to}',
  'email.sent': 'inviata',
  'email.waiting': 'riceve il link a caricamento completato',
  'ready.again': 'Nuova condivisione',
  'ready.complete': 'Completo. Ora chiunque abbia il link può scaricare.',
  'ready.complete_locked': 'Completo. Ora chiunque abbia il link e la password può scaricare.',
  'ready.contacts_add': ['Aggiungi {name} ai contatti', 'Aggiungi {n} persone ai contatti'],
  'ready.contacts_added': ['Contatto aggiunto.', '{n} persone aggiunte ai tuoi contatti.'],
  'ready.copied': 'Link copiato.',
  'ready.copied_title': 'Link copiato. Il caricamento continua: ancora {percent}',
  'ready.copy_link': 'Copia link',
  'ready.copy_password': 'Copia password',
  'ready.expires': 'scade {day}',
  'ready.interrupted':
    'Il caricamento è stato interrotto. I destinatari vedono che mancano dei file.',
  'ready.link': 'Link',
  'ready.mail_full':
    'Nessuna email inviata: la coda è piena. Riprova più tardi o invia tu il link.',
  'ready.mail_limit':
    'Nessuna email inviata: il limite di download è stato raggiunto. Prima aumentalo.',
  'ready.mail_none': 'Nessuna email inviata: l’email non è configurata. Invia tu il link.',
  'ready.mail_queued': 'In arrivo a {list}.',
  'ready.no_expiry': 'non scade mai',
  'ready.open': 'Apri come destinatario',
  'ready.password_hint': 'Comunica la password separatamente. Non verrà più mostrata.',
  'ready.protected': 'con password',
  'ready.qr': 'Codice QR',
  'ready.qr_copy': 'Copia codice QR',
  'ready.qr_download': 'Scarica codice QR',
  'ready.qr_not_copied': 'Qui non è possibile copiare il codice QR. Scaricalo.',
  'ready.qr_text': 'Codice QR del link',
  'ready.send': 'Invia',
  'ready.share': 'Condividi…',
  'ready.title': 'Il tuo link è pronto',
  'shared.none': 'Non è arrivato nulla. Condividi di nuovo i file o sceglili qui.',
  'shared.text': 'Testo condiviso.txt',
} satisfies Same<typeof english>
