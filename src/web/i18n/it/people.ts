import type { Same } from '../../lib/i18n.ts'
import type { people as english } from '../en/people.ts'

export const people = {
  'people.add': 'Aggiungi persona',
  'people.anyone': 'Le persone con il link',
  'people.audience': 'Chi può aprirla',
  'people.change_hint': 'Una modifica interrompe i download in corso.',
  'people.devices': ['{n} dispositivo', '{n} dispositivi'],
  'people.empty': 'Aggiungi le persone che possono aprire questa condivisione.',
  'people.named': 'Solo le persone che indico',
  'people.named_hint': 'Ogni persona riceve un proprio link, che puoi revocare.',
  'people.no_address': 'Senza indirizzo email, passa tu il link.',
  'people.not_opened': 'non ancora aperto',
  'people.opened': 'Aperto',
  'people.proof': 'Dimostrano la propria identità con',
  'people.proof.account': 'l’accesso con il proprio indirizzo email',
  'people.proof.code': 'un codice via email',
  'people.proof.none': 'il solo link',
  'people.revoke': 'Revoca link',
  'people.revoke_text':
    'Il link smette subito di funzionare, anche per i download in corso. Se aggiungi di nuovo ' +
    'questa persona, riceverà un nuovo link.',
  'people.revoke_title': 'Revocare il link di {name}?',
  'people.revoked': 'revocato',
  'people.revoked_toast': 'Link di {name} revocato.',
  'people.unsent': 'non inviato',
  'people.who': 'Persona',
} satisfies Same<typeof english>
