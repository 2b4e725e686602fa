import type { Same } from '../../lib/i18n.ts'
import type { people as english } from '../en/people.ts'

export const people = {
  'people.add': 'Person hinzufügen',
  'people.anyone': 'Personen mit dem Link',
  'people.audience': 'Wer sie öffnen kann',
  'people.change_hint': 'Eine Änderung beendet laufende Downloads.',
  'people.devices': ['{n} Gerät', '{n} Geräte'],
  'people.empty': 'Fügen Sie die Personen hinzu, die diese Freigabe öffnen können.',
  'people.named': 'Nur Personen, die ich nenne',
  'people.named_hint': 'Jede Person bekommt einen eigenen Link, den Sie widerrufen können.',
  'people.no_address': 'Ohne E-Mail-Adresse geben Sie den Link selbst weiter.',
  'people.not_opened': 'noch nicht geöffnet',
  'people.opened': 'Geöffnet',
  'people.proof': 'Sie weisen sich aus durch',
  'people.proof.account': 'Anmeldung mit ihrer E-Mail-Adresse',
  'people.proof.code': 'einen Code per E-Mail',
  'people.proof.none': 'den Link allein',
  'people.revoke': 'Link widerrufen',
  'people.revoke_text':
    'Der Link funktioniert sofort nicht mehr, auch laufende Downloads enden. Wenn Sie diese ' +
    'Person wieder hinzufügen, bekommt sie einen neuen Link.',
  'people.revoke_title': 'Link von {name} widerrufen?',
  'people.revoked': 'widerrufen',
  'people.revoked_toast': 'Link von {name} widerrufen.',
  'people.unsent': 'nicht gesendet',
  'people.who': 'Person',
} satisfies Same<typeof english>
