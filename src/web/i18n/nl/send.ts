import type { Same } from '../../lib/i18n.ts'
import type { send as english } from '../en/send.ts'

export const send = {
  'expiry.date': 'Datum…',
  'expiry.day': 'Verloopt aan het einde van',
  'expiry.never': 'nooit',
  'send.add_title': 'Titel toevoegen',
  'send.all_in': 'Geüpload. Privé totdat je de link ophaalt.',
  'send.before_done': 'Je kunt de link delen voordat het uploaden klaar is.',
  'send.biggest': '{size} te groot. Verwijder iets; de grootste zijn:',
  'send.cancel': 'Upload annuleren',
  'send.cancel_text': 'Wat al is geüpload, wordt verwijderd. De bestandslijst blijft.',
  'send.cancel_title': 'Deze upload annuleren?',
  'send.choose': 'Bestanden kiezen',
  'send.discard': 'Weggooien',
  'send.discard_title': 'Deze upload weggooien?',
  'send.dock': 'Uploads',
  'send.dock_files': ['{done} van {n} bestand', '{done} van {n} bestanden'],
  'send.expires': 'Verloopt op {day}',
  'send.get_link': 'Link ophalen',
  'send.get_links': 'Links ophalen',
  'send.held': 'Het uploaden begint als je de link ophaalt.',
  'send.keep': 'Verder uploaden',
  'send.keep_open':
    'Houd deze pagina open. De upload pauzeert als het apparaat in slaapstand gaat en gaat ' +
    'daarna verder.',
  'send.kept_both': ['Beide bewaard: {name}', '{n} bestanden hernoemd; één heet nu {name}'],
  'send.life': '{time} bewaard',
  'send.limit': 'Tot {size}',
  'send.link_instead': 'In plaats daarvan een link ophalen',
  'send.link_received': 'Link maken met wat is aangekomen',
  'send.never_expires': 'Verloopt nooit',
  'send.not_begun':
    'In de lijst ontbreekt {size} aan bestanden waarvan het uploaden nog niet was begonnen.',
  'send.open': 'Openen',
  'send.other_open':
    'Hier is nog een upload open. Haal eerst de link daarvan op of verwijder de bestanden.',
  'send.pick_again':
    'Deze upload is onderbroken. Kies dezelfde bestanden of mappen opnieuw om verder te gaan.',
  'send.recipients': 'Aan',
  'send.recipients_hint':
    'Druk op Enter, komma of spatie om een adres toe te voegen. Je kunt er meerdere tegelijk ' +
    'plakken.',
  'send.removed': '{name} verwijderd.',
  'send.send_to': ['Verzenden aan {n} persoon', 'Verzenden aan {n} personen'],
  'send.slug_taken': 'Deze link is al bezet. Kies een andere.',
  'send.start_over': 'Opnieuw beginnen met deze bestanden',
  'send.stopped':
    'Deze upload is ergens anders verwijderd of voltooid. Je bestanden staan nog in de lijst.',
  'send.title': 'Bestanden verzenden',
  'send.title_field': 'Titel',
  'send.uploaded': '“{name}” is volledig geüpload.',
  'recipients.added': 'Toegevoegd: {list}',
  'recipients.list': 'Ontvangers',
  'recipients.removed': 'Verwijderd: {name}',
  'ready.change': 'Bewerken',
  'ready.ignored': 'Geen e-mailadres: {list}',
} satisfies Same<typeof english>
