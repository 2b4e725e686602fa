import type { Same, Three } from '../../lib/i18n.ts'
import type { send as english } from '../en/send.ts'

export const send = {
  'expiry.date': 'Datum…',
  'expiry.day': 'Vyprší na konci dne',
  'expiry.never': 'nikdy',
  'send.add_title': 'Přidat název',
  'send.all_in': 'Nahráno. Soukromé, dokud nezískáte odkaz.',
  'send.before_done': 'Odkaz můžete sdílet ještě před koncem nahrávání.',
  'send.biggest': 'Limit překročen o {size}. Něco odeberte; největší jsou:',
  'send.cancel': 'Zrušit nahrávání',
  'send.cancel_text': 'Nahraná data se smažou. Seznam souborů zůstane.',
  'send.cancel_title': 'Zrušit toto nahrávání?',
  'send.choose': 'Vybrat soubory',
  'send.discard': 'Zahodit',
  'send.discard_title': 'Zahodit toto nahrávání?',
  'send.dock': 'Nahrávání',
  'send.dock_files': ['{done} z {n} souboru', '{done} ze {n} souborů', '{done} z {n} souborů'],
  'send.expires': 'Vyprší {day}',
  'send.get_link': 'Získat odkaz',
  'send.get_links': 'Získat odkazy',
  'send.held': 'Nahrávání začne, když získáte odkaz.',
  'send.keep': 'Nahrávat dál',
  'send.keep_open':
    'Nechte tuto stránku otevřenou. Když zařízení usne, nahrávání se pozastaví a potom pokračuje.',
  'send.kept_both': [
    'Zůstaly oba soubory: {name}',
    '{n} soubory mají nový název; jeden se teď jmenuje {name}',
    '{n} souborů má nový název; jeden se teď jmenuje {name}',
  ],
  'send.life': 'uloženo {time}',
  'send.limit': 'Nejvýše {size}',
  'send.link_instead': 'Získat místo toho odkaz',
  'send.link_received': 'Vytvořit odkaz na to, co dorazilo',
  'send.never_expires': 'Nikdy nevyprší',
  'send.not_begun': 'V seznamu chybí {size} souborů, jejichž nahrávání ještě nezačalo.',
  'send.open': 'Otevřít',
  'send.other_open':
    'Je tu otevřené jiné nahrávání. Nejdřív získejte jeho odkaz nebo odeberte jeho soubory.',
  'send.pick_again':
    'Toto nahrávání bylo přerušeno. Chcete-li pokračovat, vyberte znovu stejné soubory nebo ' +
    'složky.',
  'send.recipients': 'Komu',
  'send.recipients_hint':
    'Adresu přidáte klávesou Enter, čárkou nebo mezerou. Můžete jich vložit několik najednou.',
  'send.removed': 'Odebráno: {name}.',
  'send.send_to': ['Poslat {n} osobě', 'Poslat {n} osobám', 'Poslat {n} osobám'],
  'send.slug_taken': 'Tento odkaz je už obsazený. Zvolte jiný.',
  'send.start_over': 'Začít znovu s těmito soubory',
  'send.stopped':
    'Toto nahrávání bylo smazáno nebo dokončeno jinde. Vaše soubory jsou stále v seznamu.',
  'send.title': 'Poslat soubory',
  'send.title_field': 'Název',
  'send.uploaded': 'Celé nahráno: „{name}“.',
  'recipients.added': 'Přidáno: {list}',
  'recipients.list': 'Příjemci',
  'recipients.removed': 'Odebráno: {name}',
  'ready.change': 'Upravit',
  'ready.ignored': 'Toto není e-mailová adresa: {list}',
} satisfies Same<typeof english, Three>
