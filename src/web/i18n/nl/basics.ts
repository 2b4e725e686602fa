import type { Same } from '../../lib/i18n.ts'
import type { basics as english } from '../en/basics.ts'

export const basics = {
  'common.copied': 'Gekopieerd.',
  'common.copy': 'Kopiëren',
  'common.copy_by_hand': 'Druk op Ctrl+C om te kopiëren.',
  'common.email': 'E-mail',
  'field.email': 'Voer een volledig e-mailadres in, zoals ada@example.org.',
  'field.missing': 'Vul dit veld in.',
  'field.short': 'Gebruik minstens {n} tekens.',
  'common.hide': 'Verbergen',
  'common.imprint': 'Colofon',
  'common.loading': 'Laden…',
  'common.password': 'Wachtwoord',
  'common.privacy': 'Privacy',
  'common.show': 'Tonen',
  'common.try_again': 'Opnieuw proberen',
  'connection.back': 'Weer verbonden.',
  'connection.lost':
    'Geen verbinding. Wat je hebt ingevoerd blijft staan en deze pagina gaat automatisch verder.',
  'error.cookie_blocked':
    'De gegevens kloppen, maar je browser blokkeert cookies voor deze site. Sta ze toe en ' +
    'probeer het opnieuw.',
  'error.cookie_insecure':
    'De gegevens kloppen, maar je browser onthoudt de toegang alleen op een versleutelde ' +
    'pagina. Open deze pagina via het https://-adres.',
  'error.not_found': 'Hier is niets. Misschien is het verwijderd.',
  'error.unauthorized': 'Je bent uitgelogd.',
  'error.unavailable': 'De dienst kan dit nu niet doen. Probeer het zo meteen opnieuw.',
  'error.unknown':
    'Er is iets misgegaan. Als je iets hebt gewijzigd, controleer dan of het is opgeslagen ' +
    'voordat je het opnieuw probeert.',
  'error.unreachable':
    'De dienst is niet bereikbaar. Als je iets hebt gewijzigd, controleer dan of het is ' +
    'opgeslagen voordat je het opnieuw probeert.',
  'error.wrong_code': 'Onjuiste code. Codes veranderen elke 30 seconden: controleer je klok.',
  'error.wrong_credentials': 'E-mailadres of wachtwoord is onjuist.',
  'left.hours': ['ongeveer {n} uur', 'ongeveer {n} uur'],
  'left.minutes': ['ongeveer {n} minuut', 'ongeveer {n} minuten'],
  'left.under_minute': 'minder dan een minuut',
  'tries.over': 'Je kunt het nu opnieuw proberen.',
  'tries.wait': 'Te veel pogingen. Probeer het over {left} opnieuw.',
} satisfies Same<typeof english>
