import type { Same, Three } from '../../lib/i18n.ts'
import type { send as english } from '../en/send.ts'

export const send = {
  'expiry.date': 'Datum…',
  'expiry.day': 'Vyprší na konci dne',
  'expiry.never': 'nikdy',
  'expiry.on': 'Vyprší {day}',
  'send.all_in': 'Nahráno. Soukromé, dokud nezískáte odkaz.',
  'send.biggest': 'Limit překročen o {size}. Něco odeberte; největší jsou:',
  'send.cancel': 'Zrušit nahrávání',
  'send.cancel_text':
    'Nahraná data se smažou. Pokud chcete tyto soubory poslat znovu, ponechte si seznam.',
  'send.cancel_title': 'Zrušit toto nahrávání?',
  'send.continue': 'Pokračovat',
  'send.discard': 'Zahodit',
  'send.discard_added':
    'Soubory přidávané do „{name}“ se trvale smažou. Ostatní soubory a odkaz zůstanou.',
  'send.discard_text': 'Všechna nahraná data „{name}“ se trvale smažou.',
  'send.discard_title': 'Zahodit toto nahrávání?',
  'send.dock': 'Nahrávání',
  'send.dock_files': ['{done} z {n} souboru', '{done} ze {n} souborů', '{done} z {n} souborů'],
  'send.elsewhere': 'Tyto soubory nahrává jiná karta tohoto prohlížeče. Přepněte na ni.',
  'send.expires': 'Platnost odkazu',
  'send.from_last': 'Z posledního sdílení: {list}.',
  'send.from_preferences': 'Z vašeho profilu: {list}.',
  'send.generate': 'Vygenerovat',
  'send.get_link': 'Získat odkaz',
  'send.held': 'Nahrávání začne, když získáte odkaz.',
  'send.keep': 'Nahrávat dál',
  'send.keep_list': 'Ponechat seznam',
  'send.keep_open':
    'Nechte tuto stránku otevřenou. Když zařízení usne, nahrávání se pozastaví a potom pokračuje.',
  'send.kept_both': [
    'Zůstaly oba soubory: {name}',
    'Zůstaly obě verze {n} souborů; jedna se teď jmenuje {name}',
    'Zůstaly obě verze {n} souborů; jedna se teď jmenuje {name}',
  ],
  'send.life': 'Platnost odkazů: {time}.',
  'send.limit': 'Nejvýše {size}.',
  'send.max_downloads': 'Limit stažení',
  'send.max_downloads_hint':
    'Kolik osob může stahovat. Každá si může během 24 hodin stáhnout všechny soubory. Když ' +
    'nevyplníte, limit nebude.',
  'send.message': 'Zpráva',
  'send.more': 'Další možnosti',
  'send.notify': 'Posílat mi e-maily o stažení',
  'send.notify_hint': 'První do minuty, potom nejvýše jeden za hodinu.',
  'send.open': 'Otevřít',
  'send.origin.expiry': 'platnost',
  'send.origin.maxDownloads': 'limit stažení',
  'send.origin.message': 'zpráva',
  'send.other_open':
    'Je tu otevřené jiné nahrávání. Nejdřív získejte jeho odkaz nebo odeberte jeho soubory.',
  'send.password': 'Chránit heslem',
  'send.pick_again': 'Chcete-li pokračovat, vyberte znovu stejné soubory nebo složky.',
  'send.recipients': 'Poslat e-mailem na adresy',
  'send.recipients_hint':
    'Adresu přidáte klávesou Enter, čárkou nebo mezerou. Můžete jich vložit několik najednou.',
  'send.removed': 'Odebráno: {name}.',
  'send.send_to': ['Poslat {n} osobě', 'Poslat {n} osobám', 'Poslat {n} osobám'],
  'send.slug': 'Vlastní odkaz',
  'send.slug_hint':
    '3–50 písmen bez diakritiky, číslic, - nebo _. Když nevyplníte, odkaz bude náhodný.',
  'send.slug_taken': 'Tento odkaz je už obsazený. Zvolte jiný.',
  'send.start_over': 'Začít znovu s těmito soubory',
  'send.stopped':
    'Toto nahrávání bylo smazáno nebo dokončeno jinde. Vaše soubory jsou stále v seznamu.',
  'send.title': 'Poslat soubory',
  'send.title_field': 'Název',
  'send.unfinished': 'Nedokončeno: {name} ({done} z {all})',
  'send.uploaded': 'Celé nahráno: {name}.',
  'recipients.added': 'Přidáno: {list}',
  'recipients.list': 'Příjemci',
  'recipients.removed': 'Odebráno: {name}',
  'ready.change': 'Upravit',
  'ready.ignored': 'Toto není e-mailová adresa: {list}',
} satisfies Same<typeof english, Three>
