import type { Same, Three } from '../../lib/i18n.ts'
import type { send as english } from '../en/send.ts'

export const send = {
  'expiry.date': 'Data…',
  'expiry.day': 'Wygasa z końcem dnia',
  'expiry.never': 'nigdy',
  'send.add_title': 'Dodaj tytuł',
  'send.all_in': 'Przesłane. Prywatne, dopóki nie uzyskasz linku.',
  'send.before_done': 'Możesz udostępnić link, zanim przesyłanie się zakończy.',
  'send.biggest': 'Limit przekroczony o {size}. Usuń coś; największe są:',
  'send.cancel': 'Anuluj przesyłanie',
  'send.cancel_text': 'Przesłane dane zostaną usunięte. Lista plików pozostanie.',
  'send.cancel_title': 'Anulować to przesyłanie?',
  'send.choose': 'Wybierz pliki',
  'send.discard': 'Odrzuć',
  'send.discard_title': 'Odrzucić to przesyłanie?',
  'send.dock': 'Przesyłanie',
  'send.dock_files': ['{done} z {n} pliku', '{done} z {n} plików', '{done} z {n} plików'],
  'send.expires': 'Wygasa {day}',
  'send.get_link': 'Uzyskaj link',
  'send.get_links': 'Uzyskaj linki',
  'send.held': 'Przesyłanie zacznie się, gdy uzyskasz link.',
  'send.keep': 'Przesyłaj dalej',
  'send.keep_open':
    'Nie zamykaj tej strony. Gdy urządzenie jest uśpione, przesyłanie się zatrzymuje, a potem ' +
    'trwa dalej.',
  'send.kept_both': [
    'Zachowano oba pliki: {name}',
    '{n} pliki mają nowe nazwy; jedna z nich to {name}',
    '{n} plików ma nowe nazwy; jedna z nich to {name}',
  ],
  'send.life': 'przechowywane {time}',
  'send.limit': 'Do {size}',
  'send.link_instead': 'Uzyskaj zamiast tego link',
  'send.link_received': 'Utwórz link do tego, co dotarło',
  'send.never_expires': 'Nigdy nie wygasa',
  'send.not_begun': 'Na liście brakuje {size} plików, których przesyłanie się nie zaczęło.',
  'send.open': 'Otwórz',
  'send.other_open':
    'Jest tu otwarte inne przesyłanie. Najpierw uzyskaj jego link lub usuń jego pliki.',
  'send.pick_again':
    'To przesyłanie zostało przerwane. Wybierz ponownie te same pliki lub foldery, aby ' +
    'kontynuować.',
  'send.recipients': 'Do',
  'send.recipients_hint':
    'Adres dodasz klawiszem Enter, przecinkiem lub spacją. Możesz wkleić kilka naraz.',
  'send.removed': 'Usunięto: {name}.',
  'send.send_to': ['Wyślij do {n} osoby', 'Wyślij do {n} osób', 'Wyślij do {n} osób'],
  'send.slug_taken': 'Ten link jest już zajęty. Wybierz inny.',
  'send.start_over': 'Zacznij od nowa z tymi plikami',
  'send.stopped': 'To przesyłanie usunięto lub ukończono gdzie indziej. Pliki są nadal na liście.',
  'send.title': 'Wyślij pliki',
  'send.title_field': 'Tytuł',
  'send.uploaded': 'Przesłano w całości: „{name}”.',
  'recipients.added': 'Dodano: {list}',
  'recipients.list': 'Odbiorcy',
  'recipients.removed': 'Usunięto: {name}',
  'ready.change': 'Edytuj',
  'ready.ignored': 'To nie jest adres e-mail: {list}',
} satisfies Same<typeof english, Three>
