import type { Same, Three } from '../../lib/i18n.ts'
import type { send as english } from '../en/send.ts'

export const send = {
  'expiry.date': 'Data…',
  'expiry.day': 'Wygasa z końcem dnia',
  'expiry.never': 'nigdy',
  'expiry.on': 'Wygasa {day}',
  'send.all_in': 'Przesłane. Prywatne, dopóki nie uzyskasz linku.',
  'send.biggest': 'Limit przekroczony o {size}. Usuń coś; największe są:',
  'send.cancel': 'Anuluj przesyłanie',
  'send.cancel_text':
    'Przesłane dane zostaną usunięte. Zachowaj listę, jeśli chcesz wysłać te pliki ponownie.',
  'send.cancel_title': 'Anulować to przesyłanie?',
  'send.continue': 'Kontynuuj',
  'send.discard': 'Odrzuć',
  'send.discard_added':
    'Pliki dodawane do „{name}” zostaną trwale usunięte. Pozostałe pliki i link się nie zmienią.',
  'send.discard_text': 'Wszystkie przesłane dane „{name}” zostaną trwale usunięte.',
  'send.discard_title': 'Odrzucić to przesyłanie?',
  'send.dock': 'Przesyłanie',
  'send.dock_files': ['{done} z {n} pliku', '{done} z {n} plików', '{done} z {n} plików'],
  'send.elsewhere': 'Inna karta tej przeglądarki przesyła te pliki. Przejdź do niej.',
  'send.expires': 'Ważność linku',
  'send.from_last': 'Z ostatniego udostępnienia: {list}.',
  'send.from_preferences': 'Z twojego profilu: {list}.',
  'send.generate': 'Wygeneruj',
  'send.get_link': 'Uzyskaj link',
  'send.held': 'Przesyłanie zacznie się, gdy uzyskasz link.',
  'send.keep': 'Przesyłaj dalej',
  'send.keep_list': 'Zachowaj listę',
  'send.keep_open':
    'Nie zamykaj tej strony. Gdy urządzenie jest uśpione, przesyłanie się zatrzymuje, a potem ' +
    'trwa dalej.',
  'send.kept_both': [
    'Zachowano oba pliki: {name}',
    'Zachowano obie wersje {n} plików; jedna to teraz {name}',
    'Zachowano obie wersje {n} plików; jedna to teraz {name}',
  ],
  'send.life': 'Ważność linków: {time}.',
  'send.limit': 'Do {size}.',
  'send.max_downloads': 'Limit pobrań',
  'send.max_downloads_hint':
    'Ile osób może pobrać pliki. Każda może pobrać wszystkie w ciągu 24 godzin. Pozostaw puste, ' +
    'aby nie ustawiać limitu.',
  'send.message': 'Wiadomość',
  'send.more': 'Więcej opcji',
  'send.notify': 'Powiadamiaj mnie e-mailem o pobraniach',
  'send.notify_hint': 'Pierwszy e-mail w ciągu minuty, potem najwyżej jeden na godzinę.',
  'send.open': 'Otwórz',
  'send.origin.expiry': 'termin ważności',
  'send.origin.maxDownloads': 'limit pobrań',
  'send.origin.message': 'wiadomość',
  'send.other_open':
    'Jest tu otwarte inne przesyłanie. Najpierw uzyskaj jego link lub usuń jego pliki.',
  'send.password': 'Chroń hasłem',
  'send.pick_again': 'Wybierz ponownie te same pliki lub foldery, aby kontynuować.',
  'send.recipients': 'Wyślij e-mailem do',
  'send.recipients_hint':
    'Adres dodasz klawiszem Enter, przecinkiem lub spacją. Możesz wkleić kilka naraz.',
  'send.removed': 'Usunięto: {name}.',
  'send.send_to': ['Wyślij do {n} osoby', 'Wyślij do {n} osób', 'Wyślij do {n} osób'],
  'send.slug': 'Własny link',
  'send.slug_hint':
    '3–50 liter (bez polskich znaków), cyfr, - lub _. Pozostaw puste, aby link był losowy.',
  'send.slug_taken': 'Ten link jest już zajęty. Wybierz inny.',
  'send.start_over': 'Zacznij od nowa z tymi plikami',
  'send.stopped': 'To przesyłanie usunięto lub ukończono gdzie indziej. Pliki są nadal na liście.',
  'send.title': 'Wyślij pliki',
  'send.title_field': 'Tytuł',
  'send.unfinished': 'Nieukończone: {name} ({done} z {all})',
  'send.uploaded': 'Przesłano w całości: {name}.',
  'recipients.added': 'Dodano: {list}',
  'recipients.list': 'Odbiorcy',
  'recipients.removed': 'Usunięto: {name}',
  'ready.change': 'Edytuj',
  'ready.ignored': 'To nie jest adres e-mail: {list}',
} satisfies Same<typeof english, Three>
