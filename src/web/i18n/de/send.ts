import type { Same } from '../../lib/i18n.ts'
import type { send as english } from '../en/send.ts'

export const send = {
  'expiry.date': 'Datum …',
  'expiry.day': 'Läuft ab am Ende von',
  'expiry.never': 'nie',
  'send.add_title': 'Titel hinzufügen',
  'send.all_in': 'Hochgeladen. Privat, bis Sie den Link erstellen.',
  'send.before_done': 'Sie können den Link schon vor dem Ende des Uploads weitergeben.',
  'send.biggest': 'Um {size} zu groß. Entfernen Sie etwas; am größten sind:',
  'send.cancel': 'Upload abbrechen',
  'send.cancel_text': 'Bereits Hochgeladenes wird gelöscht. Die Dateiliste bleibt.',
  'send.cancel_title': 'Diesen Upload abbrechen?',
  'send.choose': 'Dateien wählen',
  'send.discard': 'Verwerfen',
  'send.discard_title': 'Diesen Upload verwerfen?',
  'send.dock': 'Uploads',
  'send.dock_files': ['{done} von {n} Datei', '{done} von {n} Dateien'],
  'send.expires': 'Läuft am {day} ab',
  'send.get_link': 'Link erstellen',
  'send.get_links': 'Links erstellen',
  'send.held': 'Der Upload beginnt, wenn Sie den Link erstellen.',
  'send.keep': 'Weiter hochladen',
  'send.keep_open':
    'Lassen Sie diese Seite offen. Im Ruhezustand pausiert der Upload, danach geht es weiter.',
  'send.kept_both': ['Beide behalten: {name}', '{n} Dateien umbenannt; eine heißt nun {name}'],
  'send.life': '{time} verfügbar',
  'send.limit': 'Bis zu {size}',
  'send.link_instead': 'Stattdessen Link erstellen',
  'send.link_received': 'Link für die hochgeladenen Dateien erstellen',
  'send.never_expires': 'Läuft nie ab',
  'send.not_begun':
    'In der Liste fehlen Dateien mit {size}, deren Upload noch nicht begonnen hatte.',
  'send.open': 'Öffnen',
  'send.other_open':
    'Hier ist ein anderer Upload offen. Erstellen Sie zuerst seinen Link oder entfernen Sie ' +
    'seine Dateien.',
  'send.pick_again':
    'Dieser Upload wurde unterbrochen. Wählen Sie dieselben Dateien oder Ordner noch einmal, ' +
    'um fortzufahren.',
  'send.recipients': 'An',
  'send.recipients_hint':
    'Enter, Komma oder Leerzeichen fügt eine Adresse hinzu. Sie können mehrere auf einmal ' +
    'einfügen.',
  'send.removed': '{name} entfernt.',
  'send.send_to': ['An {n} Person senden', 'An {n} Personen senden'],
  'send.slug_taken': 'Dieser Link ist schon vergeben. Wählen Sie einen anderen.',
  'send.start_over': 'Mit diesen Dateien neu beginnen',
  'send.stopped':
    'Dieser Upload wurde anderswo gelöscht oder abgeschlossen. Ihre Dateien sind noch in der ' +
    'Liste.',
  'send.title': 'Dateien senden',
  'send.title_field': 'Titel',
  'send.uploaded': '„{name}“ ist vollständig hochgeladen.',
  'recipients.added': 'Hinzugefügt: {list}',
  'recipients.list': 'Empfänger',
  'recipients.removed': 'Entfernt: {name}',
  'ready.change': 'Bearbeiten',
  'ready.ignored': 'Keine E-Mail-Adresse: {list}',
} satisfies Same<typeof english>
