import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/account.ts'
import { provider } from './provider.ts'
import { theme } from './theme.ts'

export const texts = {
  ...provider,
  ...theme,
  'account.contacts': 'Kontakte',
  'contacts.add': 'Kontakt hinzufügen',
  'contacts.added': '{name} hinzugefügt.',
  'contacts.change_one': '{name} bearbeiten',
  'contacts.change_title': '„{name}“ bearbeiten',
  'contacts.known': 'Diese Adresse ist schon in Ihren Kontakten.',
  'contacts.name_hint': 'Optional.',
  'contacts.none': 'Noch keine Kontakte.',
  'contacts.removed': '{name} entfernt.',
  'contacts.search': 'Kontakte suchen',
  'contacts.text': 'Personen, denen Sie oft Dateien senden. Beim Tippen werden sie vorgeschlagen.',
  'account.shortcuts': 'Tastaturkürzel',
  'account.profile': 'Profil',
  'account.passkeys': 'Passkeys',
  'account.two_step': 'Anmeldung in zwei Schritten',
  'account.sessions': 'Aktive Sitzungen',
  'account.tokens': 'API-Token',
  'account.delete': 'Konto löschen',
  'account.current_password': 'Aktuelles Passwort',
  'defaults.as_last': 'Wie in Ihrer letzten Freigabe',
  'defaults.start': 'Upload beginnen',
  'defaults.start_later': 'Wenn Sie den Link erstellen',
  'defaults.start_now': 'Sobald Dateien gewählt sind',
  'defaults.start_service': 'Standard dieses Dienstes',
  'defaults.title': 'Vorgaben für neue Freigaben',
  'error.last_factor':
    'Dieser Dienst verlangt die Anmeldung in zwei Schritten. Fügen Sie zuerst einen anderen ' +
    'Passkey hinzu oder richten Sie die App ein.',
  'error.no_second_factor':
    'Die Anmeldung in zwei Schritten ist schon aus. Laden Sie die Seite neu.',
  'error.passkey_known': 'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
  'error.second_factor_enabled':
    'Die Anmeldung in zwei Schritten ist schon an. Laden Sie die Seite neu.',
  'error.too_many_passkeys':
    'Sie haben die Höchstzahl an Passkeys erreicht. Entfernen Sie zuerst einen.',
  'error.too_many_tokens':
    'Sie haben die Höchstzahl an API-Token erreicht. Widerrufen Sie zuerst eines.',
  'keys.add': 'Getippte Adresse hinzufügen (Empfänger), auch mit Komma oder Leerzeichen',
  'keys.turn': 'Vorige oder nächste Datei in der Vorschau',
  'keys.list': 'Diese Liste zeigen',
  'keys.paste': 'Dateien einfügen (Senden) oder mehrere Adressen auf einmal (Empfänger)',
  'keys.switch': 'Kürzel mit einer einzelnen Taste',
  'keys.switch_hint': 'Ausgeschaltet bewirkt ? nichts. Wird in diesem Browser gespeichert.',
  'profile.display': 'Darstellung',
  'profile.email_taken': 'Ein anderes Konto verwendet diese E-Mail-Adresse.',
  'profile.language': 'Sprache',
  'profile.this_browser': 'Sprache und Farben werden in diesem Browser gespeichert.',
  'profile.why_password':
    'Über Ihre E-Mail-Adresse lässt sich Ihr Passwort zurücksetzen. Bitte bestätigen Sie die ' +
    'Änderung.',
  'passkeys.add': 'Passkey hinzufügen',
  'passkeys.created': 'hinzugefügt am {day}',
  'passkeys.no_browser': 'Dieser Browser unterstützt keine Passkeys.',
  'passkeys.none': 'Noch keine Passkeys.',
  'passkeys.remove_text':
    'Sie können sich damit nicht mehr anmelden; andere damit begonnene Sitzungen enden. ' +
    'Löschen Sie ihn auch auf Ihrem Gerät.',
  'passkeys.remove_title': '„{name}“ entfernen?',
  'passkeys.text':
    'Melden Sie sich mit Fingerabdruck, Gesicht oder Displaysperre an statt mit Passwort und Code.',
  'passkeys.unused': 'nie benutzt',
  'passkeys.used': 'zuletzt benutzt',
  'password.change': 'Passwort ändern',
  'password.changed': 'Passwort geändert.',
  'password.effect':
    'Ein neues Passwort meldet Sie überall sonst ab und widerruft alle Ihre API-Token.',
  'password.fair': 'Lang genug. Mit ein paar Wörtern mehr wird es sicherer.',
  'password.good': 'Gut: Lange Passwörter sind schwer zu erraten.',
  'password.length': 'Länge',
  'password.missing': ['Noch {n} Zeichen', 'Noch {n} Zeichen'],
  'password.new': 'Neues Passwort',
  'two_step.on': 'An',
  'two_step.off': 'Aus',
  'two_step.on_text': 'Zum Anmelden brauchen Sie Ihr Passwort und einen Code aus Ihrer App.',
  'two_step.off_text':
    'Damit reicht ein gestohlenes Passwort nicht: Zum Anmelden ist auch ein Code aus einer App ' +
    'nötig.',
  'two_step.left': 'Sie haben noch {n} von 10 Notfallcodes.',
  'two_step.do.renew': 'Notfallcodes ersetzen',
  'two_step.do.renew_text':
    'Sie bekommen zehn neue Codes. Ihre bisherigen gelten ab sofort nicht mehr.',
  'two_step.do.renew_title': 'Ihre Notfallcodes ersetzen?',
  'two_step.required':
    'Dieser Dienst verlangt die Anmeldung in zwei Schritten. Nach dem Ausschalten müssen Sie ' +
    'sie gleich neu einrichten.',
  'two_step.set_up': 'Einrichten',
  'two_step.do.turn_off': 'Ausschalten',
  'two_step.do.turn_off_title': 'Anmeldung in zwei Schritten ausschalten?',
  'two_step.do.turn_off_text':
    'Zum Anmelden reicht dann Ihr Passwort. Alle anderen Sitzungen und alle API-Token enden.',
  'two_step.is_off': 'Die Anmeldung in zwei Schritten ist aus.',
  'enrol.must':
    'Dieser Dienst verlangt die Anmeldung in zwei Schritten. Das Einrichten dauert eine Minute.',
  'enrol.scan_title': 'Konto in der App hinzufügen',
  'enrol.scan_text':
    'Scannen Sie diesen Code mit einer Authenticator-App, etwa Aegis, 2FAS oder Google ' +
    'Authenticator.',
  'enrol.qr_alt': 'QR-Code für Ihre Authenticator-App',
  'enrol.open_app': 'In einer App auf diesem Gerät öffnen',
  'common.step': 'Schritt {n} von {all}',
  'enrol.secret': 'Oder geben Sie diesen Schlüssel in der App ein',
  'enrol.code_title': 'Geben Sie den Code aus der App ein',
  'enrol.code_text':
    'So ist sicher, dass die App richtig eingerichtet ist. Ihre anderen Sitzungen enden.',
  'enrol.six_digits': '6-stelliger Code',
  'enrol.turn_on': 'Einschalten',
  'codes.title': 'Speichern Sie Ihre Notfallcodes',
  'codes.text':
    'Mit jedem Code melden Sie sich einmal ohne die App an. Die Codes werden nicht noch ' +
    'einmal gezeigt: Bewahren Sie sie dort auf, wo Sie auch ohne Telefon an sie kommen.',
  'codes.are_new': 'Ihre bisherigen Notfallcodes gelten nicht mehr.',
  'codes.is_on': 'Die Anmeldung in zwei Schritten ist an.',
  'codes.copy_by_hand':
    'Die Codes lassen sich hier nicht kopieren. Laden Sie sie herunter oder drucken Sie sie.',
  'codes.print': 'Drucken',
  'codes.kept': 'Ich habe sie gespeichert',
  'codes.leave': 'Verlassen',
  'codes.leave_text':
    'Sie werden nicht noch einmal gezeigt. Ohne sie sind Sie ausgesperrt, wenn Sie Ihr ' +
    'Telefon verlieren.',
  'codes.leave_title': 'Verlassen, ohne die Notfallcodes zu speichern?',
  'sessions.text': 'Browser und Geräte, die an Ihrem Konto angemeldet sind.',
  'sessions.current': 'Diese Sitzung',
  'sessions.device': '{browser} auf {system}',
  'sessions.unknown': 'Unbekanntes Gerät',
  'sessions.begun': 'angemeldet',
  'sessions.seen': 'zuletzt gesehen',
  'sessions.end': 'Abmelden',
  'sessions.end_one': '{name} abmelden',
  'sessions.end_others': 'Überall sonst abmelden',
  'sessions.end_others_hint': 'API-Token gelten weiter.',
  'sessions.ended': 'Sitzung beendet.',
  'sessions.others_ended': 'Alle anderen Sitzungen beendet.',
  'tokens.text':
    'Für Programme, die in Ihrem Namen arbeiten. Wie Sie sich anmelden, kann ein Token nicht ' +
    'ändern.',
  'tokens.none': 'Noch keine API-Token.',
  'tokens.create': 'Token anlegen',
  'tokens.name_hint': 'Wofür das Token ist, etwa „Sicherung im Büro“.',
  'tokens.scopes': 'Berechtigungen',
  'tokens.choose': 'Wählen Sie mindestens eine Berechtigung.',
  'tokens.may_read': 'Lesen: Ihre Dateien und Freigaben ansehen und herunterladen',
  'tokens.may_send': 'Senden: Dateien hochladen und Freigaben anlegen',
  'tokens.may_manage': 'Verwalten: Ihre Freigaben ändern und löschen, Dateianfragen anlegen',
  'tokens.may_administer': 'Administrieren: Konten, Freigaben und die meisten Einstellungen',
  'tokens.may_metrics': 'Metriken: die Kennzahlen für die Überwachung lesen',
  'tokens.is_read': 'liest',
  'tokens.is_send': 'sendet',
  'tokens.is_manage': 'verwaltet',
  'tokens.is_administer': 'administriert',
  'tokens.is_metrics': 'liest Metriken',
  'tokens.life': 'Gültig für',
  'tokens.days': ['{n} Tag', '{n} Tage'],
  'tokens.made': 'Ihr neues Token',
  'tokens.once': 'Es wird nicht noch einmal gezeigt. Bewahren Sie es sicher auf, wie ein Passwort.',
  'tokens.token': 'Token',
  'tokens.created': 'angelegt am {day}',
  'tokens.unused': 'nie benutzt',
  'tokens.end': 'Widerrufen',
  'tokens.end_one': '{name} widerrufen',
  'tokens.end_title': '„{name}“ widerrufen?',
  'tokens.end_text':
    'Programme, die dieses Token verwenden, werden abgewiesen, und Ihre Upload-Token enden. ' +
    'Das lässt sich nicht rückgängig machen.',
  'delete.text': 'Endgültig gelöscht werden:',
  'delete.shares': 'Ihre Freigaben mit allen Dateien; ihre Links funktionieren sofort nicht mehr',
  'delete.contacts': 'Ihre Kontakte und Vorgaben',
  'delete.requests': 'Ihre Dateianfragen und alle Dateien, die dort ankamen',
  'delete.logins': 'alle Sitzungen und API-Token Ihres Kontos',
  'delete.log': 'Ihre Aktionen bleiben im Protokoll, solange der Betreiber es aufbewahrt.',
  'delete.email': 'Geben Sie zur Bestätigung {email} ein',
  'delete.wrong_email': 'Das ist nicht die E-Mail-Adresse dieses Kontos.',
  'delete.action': 'Mein Konto löschen',
  'account.providers': 'Verknüpfte Anmeldungen',
  'error.identity_taken': 'Diese Anmeldung gehört zu einem anderen Konto.',
  'error.last_sign_in':
    'Sie könnten sich nicht mehr anmelden. Legen Sie zuerst ein Passwort oder einen Passkey an.',
  'linked.link': '{name} verknüpfen',
  'linked.none': 'Noch keine verknüpften Anmeldungen.',
  'linked.text': 'Melden Sie sich mit einem Konto an, das Sie anderswo haben.',
  'linked.unlink': 'Trennen',
  'linked.unlink_text':
    'Sie können sich damit nicht mehr anmelden; andere damit begonnene Sitzungen enden.',
  'linked.unlink_title': '„{name}“ trennen?',
} satisfies Same<typeof english>
