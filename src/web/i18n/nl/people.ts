import type { Same } from '../../lib/i18n.ts'
import type { people as english } from '../en/people.ts'

export const people = {
  'people.add': 'Persoon toevoegen',
  'people.anyone': 'Mensen met de link',
  'people.audience': 'Wie hem kan openen',
  'people.change_hint': 'Een wijziging beëindigt lopende downloads.',
  'people.devices': ['{n} apparaat', '{n} apparaten'],
  'people.empty': 'Voeg de personen toe die deze zending kunnen openen.',
  'people.named': 'Alleen personen die ik noem',
  'people.named_hint': 'Iedere persoon krijgt een eigen link, die je kunt intrekken.',
  'people.no_address': 'Zonder e-mailadres geef je de link zelf door.',
  'people.not_opened': 'nog niet geopend',
  'people.opened': 'Geopend',
  'people.proof': 'Ze bewijzen wie ze zijn met',
  'people.proof.account': 'aanmelden met hun e-mailadres',
  'people.proof.code': 'een code per e-mail',
  'people.proof.none': 'alleen de link',
  'people.revoke': 'Link intrekken',
  'people.revoke_text':
    'De link werkt meteen niet meer, ook niet voor lopende downloads. Als je deze persoon ' +
    'opnieuw toevoegt, krijgt die een nieuwe link.',
  'people.revoke_title': 'Link van {name} intrekken?',
  'people.revoked': 'ingetrokken',
  'people.revoked_toast': 'Link van {name} ingetrokken.',
  'people.unsent': 'niet verzonden',
  'people.who': 'Persoon',
} satisfies Same<typeof english>
