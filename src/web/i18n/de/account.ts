import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/account.ts'

export const texts = {
  'account.contacts': 'Kontakte',
  'contacts.add': 'Kontakt hinzufügen',
  'contacts.added': '{name} hinzugefügt.',
  'contacts.change': 'Ändern',
  'contacts.change_one': '{name} ändern',
  'contacts.change_title': '„{name}“ ändern',
  'contacts.known': 'Diese Adresse ist schon unter Ihren Kontakten.',
  'contacts.name_hint': 'Kann leer bleiben.',
  'contacts.none': 'Es gibt noch keine Kontakte.',
  'contacts.remove_one': '{name} entfernen',
  'contacts.removed': '{name} entfernt.',
  'contacts.search': 'Kontakte suchen',
  'contacts.text':
    'An wen Sie senden: wird vorgeschlagen, wo Sie Empfänger angeben. Sonst sieht sie niemand.',
  'account.title': 'Konto',
  'account.profile': 'Profil',
  'account.password': 'Passwort',
  'account.two_step': 'Zwei Schritte',
  'account.sessions': 'Anmeldungen',
  'account.tokens': 'API-Token',
  'account.delete': 'Konto löschen',
  'account.current_password': 'Jetziges Passwort',
  'error.wrong_current_password': 'Das jetzige Passwort stimmt nicht.',
  'error.wrong_second_factor': 'Der Code stimmt nicht oder wurde schon benutzt.',
  'profile.display': 'Darstellung',
  'profile.email_taken': 'Ein anderes Konto hat diese E-Mail-Adresse.',
  'profile.language': 'Sprache',
  'profile.theme': 'Farben',
  'profile.theme.system': 'Wie auf dem Gerät',
  'profile.theme.light': 'Hell',
  'profile.theme.dark': 'Dunkel',
  'profile.this_browser': 'Sprache und Farben werden in diesem Browser gemerkt.',
  'profile.why_password':
    'Wer Ihre Post hat, kann Ihr Passwort zurücksetzen: Bitte bestätigen Sie die Änderung.',
  'password.change': 'Passwort ändern',
  'password.changed': 'Ihr neues Passwort gilt.',
  'password.effect':
    'Ein neues Passwort beendet alle anderen Anmeldungen und alle API-Token Ihres Kontos.',
  'password.fair': 'Lang genug. Mit ein paar Wörtern mehr wird es besser.',
  'password.good': 'Gut: Lange Passwörter sind schwer zu raten.',
  'password.length': 'Länge',
  'password.missing': ['Noch {n} Zeichen', 'Noch {n} Zeichen'],
  'password.new': 'Neues Passwort',
  'two_step.on': 'An',
  'two_step.off': 'Aus',
  'two_step.on_text': 'Zum Anmelden braucht es Ihr Passwort und einen Code aus Ihrer App.',
  'two_step.off_text':
    'Damit reicht ein gestohlenes Passwort nicht: Zum Anmelden braucht es auch einen Code ' +
    'aus einer App.',
  'two_step.left': [
    '{n} Notfallcode ist übrig. Neue bekommen Sie, wenn Sie die zwei Schritte aus- und ' +
      'wieder einschalten.',
    '{n} Notfallcodes sind übrig. Neue bekommen Sie, wenn Sie die zwei Schritte aus- und ' +
      'wieder einschalten.',
  ],
  'two_step.required':
    'Dieser Dienst verlangt es: Nach dem Ausschalten muss es gleich neu eingerichtet werden.',
  'two_step.set_up': 'Einrichten',
  'two_step.turn_off': 'Ausschalten',
  'two_step.turn_off_title': 'Anmeldung in zwei Schritten ausschalten?',
  'two_step.turn_off_text':
    'Danach reicht das Passwort allein. Alle anderen Anmeldungen und alle API-Token enden.',
  'two_step.is_off': 'Die Anmeldung in zwei Schritten ist aus.',
  'enrol.must':
    'Dieser Dienst verlangt die Anmeldung in zwei Schritten. Das dauert eine Minute, dann ' +
    'geht es weiter.',
  'enrol.scan': 'App',
  'enrol.code': 'Code',
  'enrol.codes': 'Notfallcodes',
  'enrol.scan_title': 'In Ihre App aufnehmen',
  'enrol.scan_text':
    'Scannen Sie dies mit einer Authenticator-App, etwa Aegis, 2FAS oder Google Authenticator.',
  'enrol.qr_alt': 'QR-Code für Ihre Authenticator-App',
  'enrol.open_app': 'Auf diesem Telefon: in der App öffnen',
  'enrol.secret': 'Oder geben Sie diesen Schlüssel in der App ein',
  'enrol.code_title': 'Geben Sie den Code aus der App ein',
  'enrol.code_text':
    'Er zeigt, dass die App den richtigen Schlüssel hat. Andere Anmeldungen enden dann.',
  'enrol.six_digits': '6-stelliger Code',
  'enrol.turn_on': 'Einschalten',
  'codes.title': 'Bewahren Sie Ihre Notfallcodes auf',
  'codes.text':
    'Die Anmeldung in zwei Schritten ist an. Jeder Code meldet Sie einmal ohne die App an. ' +
    'Sie werden nur jetzt gezeigt: Legen Sie sie dorthin, wo Sie sie finden, wenn das ' +
    'Telefon weg ist.',
  'codes.copy_by_hand':
    'Kopieren geht hier nicht: Bitte laden Sie sie herunter oder drucken Sie sie.',
  'codes.print': 'Drucken',
  'codes.kept': 'Ich habe sie gespeichert',
  'codes.done': 'Fertig',
  'sessions.text': 'Wo Ihr Konto angemeldet ist.',
  'sessions.current': 'Diese hier',
  'sessions.device': '{browser} auf {system}',
  'sessions.unknown': 'Unbekanntes Gerät',
  'sessions.seen': 'zuletzt gesehen',
  'sessions.since': 'angemeldet',
  'sessions.end': 'Abmelden',
  'sessions.end_one': '{name} abmelden',
  'sessions.end_others': 'Alle anderen abmelden',
  'sessions.ended': 'Diese Anmeldung ist beendet.',
  'sessions.others_ended': 'Alle anderen Anmeldungen sind beendet.',
  'tokens.text':
    'Für Programme, die in Ihrem Namen Dateien senden. Ein Token kann Ihr Konto nicht ändern.',
  'tokens.none': 'Es gibt noch keine Token.',
  'tokens.create': 'Token anlegen',
  'tokens.name_hint': 'Sagen Sie, wofür es ist: „Sicherung im Büro“.',
  'tokens.life': 'Gültig für',
  'tokens.days': ['{n} Tag', '{n} Tage'],
  'tokens.for_ever': 'unbegrenzt',
  'tokens.made': 'Ihr neues Token',
  'tokens.once':
    'Es wird nur jetzt gezeigt. Wer es hat, kann in Ihrem Namen Dateien senden und löschen.',
  'tokens.token': 'Token',
  'tokens.done': 'Fertig',
  'tokens.created': 'angelegt {day}',
  'tokens.expires': 'bis {day}',
  'tokens.used': 'zuletzt benutzt',
  'tokens.unused': 'nie benutzt',
  'tokens.end': 'Widerrufen',
  'tokens.end_one': '{name} widerrufen',
  'tokens.end_title': '„{name}“ widerrufen?',
  'tokens.end_text':
    'Programme, die es benutzen, werden ab jetzt abgewiesen. Das lässt sich nicht ' +
    'rückgängig machen.',
  'delete.text': 'Das löscht endgültig:',
  'delete.shares': 'Ihre Freigaben mit allen Dateien; ihre Links gehen sofort nicht mehr',
  'delete.requests': 'Ihre Dateianfragen und alles, was dort abgegeben wurde',
  'delete.logins': 'alle Anmeldungen und API-Token Ihres Kontos',
  'delete.log': 'Was Sie getan haben, bleibt im Protokoll, solange der Betreiber es aufbewahrt.',
  'delete.email': 'Geben Sie zur Bestätigung {email} ein',
  'delete.wrong_email': 'Das ist nicht die E-Mail-Adresse dieses Kontos.',
  'delete.action': 'Mein Konto löschen',
} satisfies Same<typeof english>
