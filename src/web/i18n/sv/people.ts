import type { Same } from '../../lib/i18n.ts'
import type { people as english } from '../en/people.ts'

export const people = {
  'people.add': 'Lägg till person',
  'people.anyone': 'Personer med länken',
  'people.audience': 'Vem som kan öppna den',
  'people.change_hint': 'En ändring avbryter pågående nedladdningar.',
  'people.devices': ['{n} enhet', '{n} enheter'],
  'people.empty': 'Lägg till personerna som kan öppna delningen.',
  'people.named': 'Bara personer som jag anger',
  'people.named_hint': 'Varje person får en egen länk, som du kan återkalla.',
  'people.no_address': 'Utan e-postadress får du själv ge länken vidare.',
  'people.not_opened': 'inte öppnad ännu',
  'people.opened': 'Öppnad',
  'people.proof': 'De visar vilka de är med',
  'people.proof.account': 'inloggning med sin e-postadress',
  'people.proof.code': 'en kod via e-post',
  'people.proof.none': 'bara länken',
  'people.revoke': 'Återkalla länk',
  'people.revoke_text':
    'Länken slutar fungera direkt, även för pågående nedladdningar. Om du lägger till personen ' +
    'igen får den en ny länk.',
  'people.revoke_title': 'Återkalla länken för {name}?',
  'people.revoked': 'återkallad',
  'people.revoked_toast': 'Återkallade länken för {name}.',
  'people.unsent': 'inte skickad',
  'people.who': 'Person',
} satisfies Same<typeof english>
