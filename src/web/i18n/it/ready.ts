import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.is.dead': 'non riuscita',
  'email.last': 'Ultima email:',
  'email.is.queued': 'in arrivo',
  'email.resend': 'Invia di nuovo',
  'email.resend_to': 'Invia di nuovo a {to}',
  'email.is.sent': 'inviata',
  'email.too_soon': 'Attendi un minuto prima di inviare un’altra email.',
  'email.waiting': 'riceve il link a caricamento completato',
  'ready.again': 'Invia altro',
  'ready.by_email': 'Invia via email',
  'ready.contacts_add': ['Aggiungi {name} ai contatti', 'Aggiungi {n} persone ai contatti'],
  'ready.contacts_added': ['Contatto aggiunto.', '{n} persone aggiunte ai tuoi contatti.'],
  'ready.copied': 'Link copiato',
  'ready.copy_link': 'Copia link',
  'ready.copy_password': 'Copia password',
  'ready.expires': 'scade {day}',
  'ready.first': ['solo la prima persona', 'prime {n} persone'],
  'ready.interrupted': 'Il caricamento è stato interrotto. I destinatari aspettano che riprenda.',
  'ready.link': 'Link',
  'ready.mail_full':
    'Nessuna email inviata: la coda è piena. Riprova più tardi o invia tu il link.',
  'ready.mail_limit':
    'Nessuna email inviata: il limite di download è stato raggiunto. Prima aumentalo.',
  'ready.mail_often':
    'I file sono stati aggiunti, ma non è stata inviata alcuna email: il limite orario è stato ' +
    'raggiunto. Invia il link più tardi.',
  'ready.mail_none': 'Nessuna email inviata: l’email non è configurata. Invia tu il link.',
  'ready.mail_queued': 'Invio a {list}',
  'ready.open': 'Vedi come destinatario',
  'ready.password_hint': 'Comunica la password separatamente. Non verrà più mostrata.',
  'ready.protected': 'con password',
  'ready.qr': 'Codice QR',
  'ready.qr_download': 'Scarica codice QR',
  'ready.qr_text': 'Codice QR del link',
  'ready.sending_to': ['Invio a {n} persona', 'Invio a {n} persone'],
  'ready.sent_to': ['Inviato a {n} persona', 'Inviato a {n} persone'],
  'ready.share': 'Condividi…',
  'ready.title': 'Il tuo link è pronto',
  'shared.none': 'Non è arrivato nulla. Condividi di nuovo i file o sceglili qui.',
  'shared.text': 'Testo condiviso.txt',
} satisfies Same<typeof english>
