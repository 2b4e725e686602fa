import type { Same } from '../../lib/i18n.ts'
import type { common as english } from '../en/common.ts'
import { basics } from './basics.ts'

export const common = {
  ...basics,
  'common.add': 'Toevoegen',
  'common.back': 'Terug',
  'common.cancel': 'Annuleren',
  'common.close': 'Sluiten',
  'common.download': 'Downloaden',
  'file.damaged': 'Beschadigd',
  'common.files': ['{n} bestand', '{n} bestanden'],
  'common.name': 'Naam',
  'common.next': 'Volgende',
  'common.remove': 'Verwijderen',
  'common.save': 'Opslaan',
  'common.saved': 'Opgeslagen',
  'common.skip_to_content': 'Naar de inhoud',
  'common.undo': 'Ongedaan maken',
  'select.all': 'Alles selecteren',
  'select.begin': 'Selecteren',
  'select.end': 'Klaar',
  'select.folder': 'Map {name} selecteren',
  'select.none': 'Selectie wissen',
  'error.common_password': 'Dit wachtwoord komt te vaak voor.',
  'error.conflict': 'Dit conflicteert met iets wat al bestaat.',
  'error.disk_full': 'De schijf van de dienst is vol. De serverbeheerder moet ruimte vrijmaken.',
  'error.expired': 'De link is verlopen.',
  'error.forbidden': 'Alleen beheerders kunnen dit.',
  'error.invalid_input': 'Je invoer is niet geaccepteerd. {message}',
  'error.mail_not_configured': 'E-mail is niet ingesteld voor deze dienst.',
  'error.payload_too_large': 'Dit is groter dan de dienst toestaat.',
  'error.quota_exceeded':
    'Je opslaglimiet is bereikt. Verwijder bestanden om ruimte vrij te maken.',
} satisfies Same<typeof english>
