import type { Same, Three } from '../../lib/i18n.ts'
import type { basics as english } from '../en/basics.ts'

export const basics = {
  'common.copied': 'Zkopírováno.',
  'common.copy': 'Kopírovat',
  'common.copy_by_hand': 'Zkopírujte stisknutím Ctrl+C.',
  'common.email': 'E-mail',
  'field.email': 'Zadejte úplnou e-mailovou adresu, například ada@example.org.',
  'field.missing': 'Vyplňte toto pole.',
  'field.short': 'Použijte alespoň {n} znaků.',
  'common.hide': 'Skrýt',
  'common.imprint': 'Právní informace',
  'common.loading': 'Načítá se…',
  'common.password': 'Heslo',
  'common.privacy': 'Soukromí',
  'common.show': 'Zobrazit',
  'common.try_again': 'Zkusit znovu',
  'connection.back': 'Připojení obnoveno.',
  'connection.lost': 'Bez připojení. Zadané údaje zůstanou a stránka bude automaticky pokračovat.',
  'error.cookie_blocked':
    'Údaje jsou správné, ale prohlížeč pro tento web blokuje soubory cookie. Povolte je a ' +
    'zkuste to znovu.',
  'error.cookie_insecure':
    'Údaje jsou správné, ale prohlížeč si přístup zapamatuje jen na šifrované stránce. ' +
    'Otevřete ji na adrese https://.',
  'error.not_found': 'Nic tu není. Možná to bylo smazáno.',
  'error.unauthorized': 'Proběhlo odhlášení.',
  'error.unavailable': 'Služba to teď nemůže udělat. Zkuste to za chvíli znovu.',
  'error.unknown':
    'Něco se nepovedlo. Pokud něco měníte, ověřte před dalším pokusem, jestli se změna ' +
    'uložila.',
  'error.unreachable':
    'Se službou se nepodařilo spojit. Pokud něco měníte, ověřte před dalším pokusem, ' +
    'jestli se změna uložila.',
  'error.wrong_code': 'Nesprávný kód. Kódy se mění každých 30 sekund: zkontrolujte si hodiny.',
  'error.wrong_credentials': 'Nesprávná e-mailová adresa nebo heslo.',
  'left.hours': ['asi {n} h', 'asi {n} h', 'asi {n} h'],
  'left.minutes': ['asi {n} min', 'asi {n} min', 'asi {n} min'],
  'left.under_minute': 'méně než 1 min',
  'tries.over': 'Teď to můžete zkusit znovu.',
  'tries.wait': 'Příliš mnoho pokusů. Zkuste to znovu za {left}.',
} satisfies Same<typeof english, Three>
