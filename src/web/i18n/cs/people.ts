import type { Same, Three } from '../../lib/i18n.ts'
import type { people as english } from '../en/people.ts'

export const people = {
  'people.add': 'Přidat osobu',
  'people.anyone': 'Lidé s odkazem',
  'people.audience': 'Kdo ho může otevřít',
  'people.change_hint': 'Změna ukončí probíhající stahování.',
  'people.devices': ['{n} zařízení', '{n} zařízení', '{n} zařízení'],
  'people.empty': 'Přidejte osoby, které mohou toto sdílení otevřít.',
  'people.named': 'Jen osoby, které uvedu',
  'people.named_hint': 'Každá osoba dostane vlastní odkaz, který můžete zrušit.',
  'people.no_address': 'Bez e-mailové adresy odkaz předejte sami.',
  'people.not_opened': 'zatím neotevřeno',
  'people.opened': 'Otevřeno',
  'people.proof': 'Prokážou se',
  'people.proof.account': 'přihlášením se svou e-mailovou adresou',
  'people.proof.code': 'kódem z e-mailu',
  'people.proof.none': 'jen odkazem',
  'people.revoke': 'Zrušit odkaz',
  'people.revoke_text':
    'Odkaz okamžitě přestane fungovat, i pro probíhající stahování. Když osobu znovu přidáte, ' +
    'dostane nový odkaz.',
  'people.revoke_title': 'Zrušit odkaz: {name}?',
  'people.revoked': 'zrušeno',
  'people.revoked_toast': 'Odkaz zrušen: {name}.',
  'people.unsent': 'neodesláno',
  'people.who': 'Osoba',
} satisfies Same<typeof english, Three>
