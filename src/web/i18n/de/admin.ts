import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/admin.ts'
import { acts } from './admin-events.ts'
import { settings } from './admin-settings.ts'
import { checkUp } from './check-up.ts'
import { disk } from './disk.ts'

export const texts = {
  ...acts,
  ...settings,
  ...checkUp,
  ...disk,
  'about.licences': 'Lizenzen',
  'about.licences_text': 'Dieser Dienst enthält die Arbeit anderer, unter diesen Lizenzen.',
  'about.version': 'Version {version}, unter Node {runtime}.',

  'admin.all': 'Alle',
  'admin.tab.audit': 'Protokoll',
  'admin.created': 'Angelegt',
  'admin.as.csv': 'Als CSV herunterladen',
  'admin.delete': 'Löschen',
  'admin.as.json': 'Als JSON herunterladen',
  'admin.more': 'Mehr anzeigen',
  'admin.filters': 'Filter',
  'admin.nothing_fits': 'Keine Ergebnisse',
  'admin.tab.overview': 'Übersicht',
  'admin.owner': 'Eigentümer (E-Mail oder Nummer)',
  'admin.tab.settings': 'Einstellungen',
  'admin.tab.shares': 'Alle Freigaben',
  'admin.size': 'Größe',
  'admin.state': 'Zustand',
  'admin.title': 'Verwaltung',
  'admin.tab.users': 'Konten',

  'audit.event': 'Ereignis',
  'audit.actor': 'Wer (E-Mail)',
  'audit.is.anonymous': 'Unbekannt',
  'audit.is.done': 'Erfolgreich',
  'audit.follow': 'Auf neue Einträge prüfen',
  'audit.fresh': ['{n} neuer Eintrag – Zeigen', '{n} neue Einträge – Zeigen'],
  'audit.from': 'Von',
  'audit.is.guest': 'Ein Gast',
  'audit.ip': 'IP-Adresse',
  'audit.is.operator': 'Der Betreiber',
  'audit.is.refused': 'Abgewiesen',
  'audit.result': 'Ergebnis',
  'audit.since': 'Ab (Tag)',
  'audit.is.system': 'Der Dienst',
  'audit.target': 'Ziel (ID oder E-Mail)',
  'audit.until': 'Vor (Tag)',
  'audit.what': 'Ereignis',
  'audit.when': 'Wann',

  'bulk.all': 'Alle gezeigten Konten auswählen',
  'bulk.chosen': ['{n} Konto ausgewählt', '{n} Konten ausgewählt'],
  'bulk.clear': 'Auswahl aufheben',
  'act.delete': ['{n} Konto löschen', '{n} Konten löschen'],
  'act.delete_text': 'Das löscht die Konten endgültig und lässt sich nicht rückgängig machen.',
  'act.disable': ['{n} Konto sperren', '{n} Konten sperren'],
  'act.disable_already': 'schon gesperrt',
  'act.disable_text': 'Beendet ihre Sitzungen und verbirgt ihre Links. Gelöscht wird nichts.',
  'bulk.done': 'erledigt',
  'act.enable': ['{n} Konto entsperren', '{n} Konten entsperren'],
  'act.enable_already': 'schon entsperrt',
  'act.enable_text': 'Sie können sich wieder anmelden, und ihre Links funktionieren wieder.',
  'bulk.last': 'ausgelassen: der letzte Administrator',
  'bulk.own': 'ausgelassen: das sind Sie',
  'bulk.pick': '{name} auswählen',
  'bulk.type': 'Geben Sie zur Bestätigung die Zahl der Konten ein: {n}',

  'all_shares.delete_text':
    'Das löscht „{name}“ von {owner} mit allen Dateien ({size}) endgültig. Der Link ' +
    'funktioniert dann nicht mehr.',
  'all_shares.delete_title': 'Diese Freigabe löschen?',
  'all_shares.deleted': '„{name}“ wurde gelöscht.',
  'all_shares.is.draft': 'Entwurf',
  'all_shares.empty': 'Noch keine Freigaben.',
  'all_shares.ends': 'Läuft ab',
  'all_shares.share': 'Freigabe',
  'all_shares.unnamed': 'Freigabe ohne Titel',

  'overview.active_shares': 'Aktive Freigaben',
  'overview.count': '{n}',
  'overview.drafts': ['{n} unfertiger Upload', '{n} unfertige Uploads'],
  'overview.free': 'Freier Platz',
  'overview.largest': 'Größte Konten',
  'overview.nothing_stored': 'Noch ist nichts gespeichert.',
  'overview.of_all': 'von {all}',
  'overview.of_disk': '{part} der Festplatte',
  'overview.open_requests': 'Offene Dateianfragen',

  'chart.date': 'Tag',
  'chart.day': '{title}: Tag',
  'chart.empty': 'Noch gibt es nichts zu zeichnen. Das Diagramm wächst mit jedem Tag.',
  'chart.ends': 'Am Ende jedes Tages',
  'chart.grown': '{size} mehr als am {day}',
  'chart.moved': '{received} empfangen, {sent} gesendet',
  'chart.numbers': 'Zahlen anzeigen',
  'chart.key.received': 'Empfangen',
  'chart.same': 'Unverändert seit {day}',
  'chart.key.sent': 'Gesendet',
  'chart.shrunk': '{size} weniger als am {day}',
  'chart.since': 'Aufgezeichnet seit {day}',
  'chart.storage': 'Speicher, letzte 30 Tage',
  'chart.traffic': 'Datenverkehr, letzte 30 Tage',
  'chart.unknown': 'Nicht aufgezeichnet',
  'chart.utc': 'Tage in UTC.',

  'problem.clock': 'Die Uhr geht vielleicht falsch',
  'problem.clock_advice':
    'Sie sprang um {length} vor. Bis {time} wird nichts gelöscht. Wenn sie richtig geht, rufen ' +
    'Sie diesen Befehl auf:',
  'problem.damaged': [
    '{n} beschädigte Stelle in gespeicherten Dateien',
    '{n} beschädigte Stellen in gespeicherten Dateien',
  ],
  'problem.damaged_advice':
    'Dieser Befehl zeigt die Dateien. Stellen Sie sie aus einer Sicherung wieder her und rufen ' +
    'Sie ihn dann mit --restart auf.',
  'problem.database_disk_advice':
    '{free} sind frei. Unter {floor} enden Uploads. Räumen Sie die Festplatte der Datenbank auf.',
  'problem.database_disk_full': 'Die Festplatte der Datenbank ist voll',
  'problem.database_disk_low': 'Die Festplatte der Datenbank ist fast voll',
  'problem.disk_advice':
    '{free} sind frei. Unter {floor} enden Uploads. Löschen Sie Freigaben oder vergrößern Sie ' +
    'den Speicher.',
  'problem.disk_full': 'Die Festplatte für Dateien ist voll',
  'problem.disk_low': 'Die Festplatte für Dateien ist fast voll',
  'problem.failing': [
    '{n} Objekt konnte nicht entfernt werden',
    '{n} Objekte konnten nicht entfernt werden',
  ],
  'problem.jobs': [
    '{n} Aufgabe im Hintergrund ist gescheitert',
    '{n} Aufgaben im Hintergrund sind gescheitert',
  ],
  'problem.jobs_advice':
    'Der Dienst versucht es weiter. Scheitert es erneut, steht mehr im Protokoll des Dienstes.',
  'problem.mail_settings': 'E-Mail-Einstellungen',
  'problem.mails': [
    '{n} E-Mail konnte nicht zugestellt werden',
    '{n} E-Mails konnten nicht zugestellt werden',
  ],
  'problem.mails_advice':
    'Lesen Sie die Antwort des Mailservers und versuchen Sie es dann noch einmal.',
  'problem.stuck': [
    '{n} gelöschte Freigabe oder Lieferung liegt noch auf der Festplatte',
    '{n} gelöschte Freigaben oder Lieferungen liegen noch auf der Festplatte',
  ],
  'problem.stuck_advice':
    'Der Dienst versucht es weiter. Prüfen Sie die Festplatte. Letzter Fehler: {reason}',
  'problem.title': ['{n} Problem', '{n} Probleme'],
  'problem.unknown': [
    '{n} Ordner im Speicher ist der Datenbank unbekannt',
    '{n} Ordner im Speicher sind der Datenbank unbekannt',
  ],
  'problem.unknown_advice':
    'Die Datenbank ist vielleicht älter als die Dateien. Spielen Sie eine neuere Sicherung der ' +
    'Datenbank ein. Nichts wird entfernt.',

  'running.download': ['Download von „{name}“', '{n} Downloads von „{name}“'],
  'running.guest': 'Upload eines Gastes',
  'running.nothing': 'Keine Uploads oder Downloads.',
  'running.received': ['Download empfangener Dateien', '{n} Downloads empfangener Dateien'],
  'running.so_far': 'bisher {size}',
  'running.upload': 'Upload von „{name}“',

  'status.answer': 'Letzter Fehler',
  'status.database': 'Datenbank',
  'status.disk': 'Festplatte',
  'status.disk_free': '{free} von {all} frei; bei {floor} enden Uploads',
  'status.duration': 'Dauer',
  'status.embedded': '{size}, vom Dienst selbst betrieben',
  'status.findings': '{checked} geprüft, beschädigte Stellen: {n}',
  'status.fine': 'Alles funktioniert.',
  'status.floor': 'Bleibt auf der Festplatte frei',
  'status.internals': 'Technische Einzelheiten',
  'status.job': 'Aufgabe',
  'status.jobs': 'Aufgaben',
  'status.last_run': 'Letzter Lauf',
  'status.mail_off': 'E-Mail ist nicht eingerichtet',
  'status.mail_queue': ['{n} E-Mail wartet', '{n} E-Mails warten'],
  'status.mails': 'E-Mail',
  'status.ms': '{n} ms',
  'status.none': 'Keines',
  'status.not_yet': 'Noch nicht',
  'status.now': 'Gerade jetzt',
  'status.refresh': 'Aktualisieren',
  'status.retried': 'Die E-Mail an {to} wird noch einmal gesendet.',
  'status.stock': 'Gespeichert',
  'status.to': 'An',
  'status.uptime': 'Gestartet',
  'status.verified': 'Letzte Prüfung der Dateien',
  'status.version': 'Version',

  'storage.drafts': [
    '{n} unfertiger Upload. Er wird automatisch entfernt, wenn nichts mehr gesendet wird.',
    '{n} unfertige Uploads. Sie werden automatisch entfernt, wenn nichts mehr gesendet wird.',
  ],
  'storage.list': 'Unfertige Uploads anzeigen',

  'users.add': 'Konto anlegen',
  'users.add_mail':
    'Es wird keine E-Mail gesendet. Teilen Sie der Person das Passwort und die Adresse dieser ' +
    'Seite mit.',
  'users.address_voids':
    'Mit einer neuen Adresse gilt der Link der Einladung nicht mehr. Laden Sie die Person ' +
    'danach erneut ein.',
  'users.admin': 'Administrator',
  'users.admin_label': 'Kann diesen Dienst verwalten',
  'users.again_hint':
    'Erstellt einen neuen Link für die erste Anmeldung und sendet ihn, falls E-Mail ' +
    'eingerichtet ist. Der alte Link gilt nicht mehr.',
  'users.created': 'Das Konto von {name} ist angelegt.',
  'users.delete': 'Konto löschen…',
  'users.delete_all': 'Mit dem Konto löschen',
  'users.delete_keep': 'An {email} übergeben',
  'users.delete_text':
    'Das löscht das Konto von {name} endgültig und lässt sich nicht rückgängig machen.',
  'users.delete_title': 'Das Konto von {name} löschen?',
  'users.delete_type': 'Geben Sie zur Bestätigung den Namen ein: {name}',
  'users.delete_what': 'Was soll mit den Freigaben und Dateianfragen geschehen ({size})?',
  'users.deleted': 'Das Konto von {name} wurde gelöscht.',
  'users.disable': 'Sperren',
  'users.disable_hint': 'Beendet die Sitzungen und verbirgt die Links. Gelöscht wird nichts.',
  'users.is_disabled': 'Gesperrt',
  'users.enable': 'Entsperren',
  'users.factor_hint': 'Bei verlorenem Telefon. Beendet auch alle Sitzungen.',
  'users.factor_on': 'Mit zweitem Schritt',
  'users.factor_reset': 'Anmeldung in zwei Schritten zurücksetzen',
  'users.factor_was_reset': '{name} meldet sich jetzt allein mit dem Passwort an.',
  'users.generate': 'Passwort erzeugen',
  'users.hand_over': 'Es wurde keine E-Mail gesendet. Senden Sie diesen Link selbst an {email}.',
  'users.invite': 'Einladen',
  'users.invite_again': 'Erneut einladen',
  'users.invite_hint': 'Die Person bekommt einen Link und wählt das Passwort.',
  'users.is_invited': 'Eingeladen',
  'users.invited_title': '{name} ist eingeladen.',
  'users.last':
    'Das ist der letzte Administrator. Er lässt sich weder sperren noch löschen und bleibt ' +
    'Administrator.',
  'users.last_login': 'Letzte Anmeldung',
  'users.link': 'Link zum Zurücksetzen des Passworts erstellen',
  'users.link_ends': 'Gilt einmal, bis {end}. Jeder, der den Link hat, kann das Passwort setzen.',
  'users.link_hint':
    'Gilt eine Stunde. Wird per E-Mail gesendet oder hier gezeigt, falls E-Mail nicht ' +
    'eingerichtet ist.',
  'users.link_title': 'Link zum Zurücksetzen des Passworts für {name}',
  'users.mailed': 'Eine E-Mail mit dem Link ist an {email} unterwegs.',
  'users.manage': 'Verwalten',
  'users.manage_one': '{name} verwalten',
  'users.never': 'Nie',
  'users.own': 'Das sind Sie.',
  'users.own_factor': 'Die eigene Anmeldung in zwei Schritten schalten Sie in Ihrem Konto aus.',
  'users.quota_own': 'Eine eigene Grenze',
  'users.quota_standard': 'Standard für alle Konten ({size})',
  'users.search': 'Konten suchen',
  'users.set_password': 'Das Passwort selbst setzen',
  'users.space': 'Speicher',
  'users.space_of': '{used} von {all}',
  'users.the_link': 'Link',
  'users.user': 'Konto',
  'users.uses': 'Belegt: {size}',
} as const satisfies Same<typeof english>
