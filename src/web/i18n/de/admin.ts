import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/admin.ts'
import { acts } from './admin-events.ts'
import { settings } from './admin-settings.ts'
import { checkUp } from './check-up.ts'
import { disk } from './disk.ts'
import { provider } from './provider.ts'

export const texts = {
  ...provider,
  ...acts,
  ...settings,
  ...checkUp,
  ...disk,
  'about.licences': 'Lizenzen',
  'about.licences_text': 'Dieser Dienst enthält die Arbeit anderer, unter diesen Lizenzen.',
  'about.version': 'Version {version}, unter Node {runtime}.',

  'admin.tab.audit': 'Protokoll',
  'admin.created': 'Angelegt',
  'admin.as.json': 'Als JSON herunterladen',
  'admin.filters': 'Filter',
  'admin.tab.overview': 'Übersicht',
  'admin.tab.settings': 'Einstellungen',
  'admin.tab.shares': 'Alle Freigaben',
  'admin.title': 'Verwaltung',
  'admin.tab.users': 'Konten',

  'audit.event': 'Ereignis',
  'audit.actor': 'Wer (E-Mail)',
  'audit.is.anonymous': 'Eine unbekannte Person',
  'audit.done': 'Erfolgreich',
  'audit.follow': 'Auf neue Einträge prüfen',
  'audit.fresh': ['{n} neuer Eintrag – Zeigen', '{n} neue Einträge – Zeigen'],
  'audit.is.guest': 'Ein Gast',
  'audit.is.operator': 'Der Betreiber',
  'audit.refused': 'Abgewiesen',
  'audit.result': 'Ergebnis',
  'audit.since': 'Ab (Tag)',
  'audit.is.system': 'Der Dienst',
  'audit.target': 'Ziel (ID oder E-Mail)',
  'audit.until': 'Vor (Tag)',

  'bulk.all': 'Alle gezeigten Konten auswählen',
  'bulk.chosen': ['{n} Konto ausgewählt', '{n} Konten ausgewählt'],
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
  'all_shares.empty': 'Noch keine Freigaben.',

  'overview.active_shares': 'Aktive Freigaben',
  'overview.drafts': ['{n} unfertiger Upload', '{n} unfertige Uploads'],
  'overview.fine': 'Alles läuft.',
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
  'problem.is.damaged': [
    '{n} beschädigte Stelle in gespeicherten Dateien',
    '{n} beschädigte Stellen in gespeicherten Dateien',
  ],
  'problem.is.damaged_advice':
    'Dieser Befehl zeigt die Dateien. Stellen Sie sie aus einer Sicherung wieder her und rufen ' +
    'Sie ihn dann mit --restart auf.',
  'problem.is.database_disk_advice':
    '{free} sind frei. Unter {floor} enden Uploads. Räumen Sie die Festplatte der Datenbank auf.',
  'problem.is.database_disk_full': 'Die Festplatte der Datenbank ist voll',
  'problem.is.database_disk_low': 'Die Festplatte der Datenbank ist fast voll',
  'problem.is.disk_advice':
    '{free} sind frei. Unter {floor} enden Uploads. Löschen Sie Freigaben oder vergrößern Sie ' +
    'den Speicher.',
  'problem.is.disk_full': 'Die Festplatte für Dateien ist voll',
  'problem.is.disk_low': 'Die Festplatte für Dateien ist fast voll',
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
  'problem.is.stuck': [
    '{n} gelöschte Freigabe oder Lieferung liegt noch auf der Festplatte',
    '{n} gelöschte Freigaben oder Lieferungen liegen noch auf der Festplatte',
  ],
  'problem.is.stuck_advice':
    'Der Dienst versucht es weiter. Prüfen Sie die Festplatte. Letzter Fehler: {reason}',
  'problem.title': ['{n} Problem', '{n} Probleme'],
  'problem.is.unknown': [
    '{n} Ordner im Speicher ist der Datenbank unbekannt',
    '{n} Ordner im Speicher sind der Datenbank unbekannt',
  ],
  'problem.is.unknown_advice':
    'Die Datenbank ist vielleicht älter als die Dateien. Spielen Sie eine neuere Sicherung der ' +
    'Datenbank ein. Nichts wird entfernt.',

  'running.download': ['Download von „{name}“', '{n} Downloads von „{name}“'],
  'running.guest': 'Upload eines Gastes',
  'running.nothing': 'Keine Uploads oder Downloads.',
  'running.received': ['Download empfangener Dateien', '{n} Downloads empfangener Dateien'],
  'running.so_far': 'bisher {size}',
  'running.upload': 'Upload von „{name}“',

  'status.answer': 'Letzter Fehler',
  'status.disk': 'Festplatte',
  'status.duration': 'Dauer',
  'status.embedded': '{size}, vom Dienst selbst betrieben',
  'status.findings': '{checked} geprüft, beschädigte Stellen: {n}',
  'status.floor': 'Bleibt auf der Festplatte frei',
  'status.internals': 'Technische Einzelheiten',
  'status.job': 'Aufgabe',
  'status.jobs': 'Aufgaben',
  'status.last_run': 'Letzter Lauf',
  'status.mail_off': 'E-Mail ist nicht eingerichtet',
  'status.mail_queue': ['{n} E-Mail wartet', '{n} E-Mails warten'],
  'status.ms': '{n} ms',
  'status.not_yet': 'Noch nicht',
  'status.now': 'Gerade jetzt',
  'status.refresh': 'Aktualisieren',
  'status.retried': 'Die E-Mail an {to} wird noch einmal gesendet.',
  'status.stock': 'Gespeichert',
  'status.to': 'An',
  'status.uptime': 'Gestartet',
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
  'users.access': 'Zugang',
  'users.address_voids':
    'Mit einer neuen Adresse gilt der Link der Einladung nicht mehr. Laden Sie die Person ' +
    'danach erneut ein.',
  'users.admin': 'Administrator',
  'users.admin_label': 'Kann diesen Dienst verwalten',
  'users.again_hint': 'Der alte Link gilt dann nicht mehr.',
  'users.created': 'Das Konto von {name} ist angelegt.',
  'users.danger': 'Gefahrenbereich',
  'users.delete': 'Konto löschen…',
  'users.delete_all': 'Mit dem Konto löschen',
  'users.delete_keep': 'An {email} übergeben',
  'users.delete_text':
    'Das löscht das Konto von {name} endgültig und lässt sich nicht rückgängig machen.',
  'users.delete_title': 'Das Konto von {name} löschen?',
  'users.delete_type': 'Geben Sie zur Bestätigung den Namen ein: {name}',
  'users.delete_what': 'Was soll mit den Freigaben und Dateianfragen geschehen ({size})?',
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
  'users.invite_hint': 'Sonst bekommt die Person einen Link und wählt das Passwort.',
  'users.is_invited': 'Eingeladen',
  'users.invited_title': '{name} ist eingeladen.',
  'users.last':
    'Das ist der letzte Administrator. Er lässt sich weder sperren noch löschen und bleibt ' +
    'Administrator.',
  'users.last_login': 'Letzte Anmeldung',
  'users.link': 'Link zum Zurücksetzen des Passworts erstellen',
  'users.link_ends': 'Gilt einmal, bis {end}. Jeder, der den Link hat, kann das Passwort setzen.',
  'users.link_hint': 'Gilt eine Stunde.',
  'users.link_title': 'Link zum Zurücksetzen des Passworts für {name}',
  'users.mailed': 'Eine E-Mail mit dem Link ist an {email} unterwegs.',
  'users.manage': 'Verwalten',
  'users.manage_one': '{name} verwalten',
  'users.never': 'Nie',
  'users.own': 'Das sind Sie.',
  'users.own_factor': 'Die eigene Anmeldung in zwei Schritten schalten Sie in Ihrem Konto aus.',
  'users.quota_own': 'Eine eigene Grenze',
  'users.quota_standard': 'Standard ({size})',
  'users.search': 'Konten suchen',
  'users.set_password': 'Das Passwort selbst setzen',
  'users.space': 'Speicher',
  'users.space_of': '{used} von {all}',
  'users.uses': 'Belegt: {size}',
  'admin.tab.providers': 'Anbieter',
  'providers.add': 'Anbieter hinzufügen',
  'providers.admin_group': 'Gruppe der Administratoren',
  'providers.admin_group_hint':
    'Alle anderen, die sich mit diesem Anbieter anmelden, verlieren die Verwaltung. Leer ' +
    'lassen, um selbst zu entscheiden.',
  'providers.client_secret': 'Client-Secret',
  'providers.creation': 'Konten bei der ersten Anmeldung',
  'providers.creation.all': 'Für alle',
  'providers.creation.domains': 'Für bestimmte Domains',
  'providers.creation.off': 'Für niemanden',
  'providers.domains': 'Domains, durch Kommas getrennt',
  'providers.group_quotas': 'Speicherplatz nach Gruppe',
  'providers.group_quotas_hint':
    'Eine pro Zeile, in GB: staff = 50. Der größte Wert gilt, 0 ist unbegrenzt.',
  'providers.groups_claim': 'Claim mit den Gruppen',
  'providers.id': 'ID, Teil der Redirect-URI (a–z, 0–9, -)',
  'providers.issuer': 'Issuer-URL',
  'providers.linking': 'Bestehende Konten per E-Mail verknüpfen',
  'providers.linking.all': 'Alle',
  'providers.linking.no_password': 'Die ohne Passwort',
  'providers.linking.off': 'Nie',
  'providers.linking_hint':
    'Benutzer können ihre Adresse ändern. Verknüpfen Sie Konten mit Passwort nur, wenn Sie ' +
    'allen Benutzern vertrauen.',
  'providers.none': 'Noch keine Anmeldeanbieter.',
  'providers.remove_text':
    'Niemand kann sich mehr damit anmelden, und die Sitzungen, die damit begannen, enden.',
  'providers.secret_hint': 'Leer lassen, um es zu behalten.',
  'providers.test': 'Testen',
  'providers.test_sign_in': 'Zum Test anmelden',
  'providers.test_title': 'Test von „{name}“',
  'providers.text': 'Anmeldung mit OpenID Connect, etwa mit Keycloak, Authentik oder Google.',
  'providers.trusts_email': 'E-Mail-Adressen vertrauen, die er nicht bestätigt nennt',
  'providers.trusts_second_factor': 'Seine Anmeldungen gelten als Anmeldung in zwei Schritten',
  'users.approve': 'Freigeben',
  'users.approve_one': '{name} freigeben',
  'users.approved': 'Konto freigegeben: {name}',
  'users.decline': 'Ablehnen',
  'users.decline_one': '{name} ablehnen',
  'users.declined': 'Anfrage abgelehnt: {name}',
  'users.is_waiting': 'Wartet auf Freigabe',
  'users.waiting': ['{n} Person wartet auf Freigabe', '{n} Personen warten auf Freigabe'],
  'error.no_other_sign_in':
    'Niemand könnte sich mehr anmelden. Fügen Sie zuerst einen Anbieter hinzu und testen Sie ihn.',
} as const satisfies Same<typeof english>
