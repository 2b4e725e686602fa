import type { Same } from '../../lib/i18n.ts'
import type { basics as english } from '../en/basics.ts'

export const basics = {
  'common.copied': 'Kopierat.',
  'common.copy': 'Kopiera',
  'common.copy_by_hand': 'Tryck på Ctrl+C för att kopiera.',
  'common.email': 'E-post',
  'field.email': 'Ange en fullständig e-postadress, till exempel ada@example.org.',
  'field.missing': 'Fyll i det här fältet.',
  'field.short': 'Använd minst {n} tecken.',
  'common.hide': 'Dölj',
  'common.imprint': 'Juridisk information',
  'common.loading': 'Läser in…',
  'common.password': 'Lösenord',
  'common.privacy': 'Integritet',
  'common.show': 'Visa',
  'common.try_again': 'Försök igen',
  'connection.back': 'Ansluten igen.',
  'connection.lost':
    'Ingen anslutning. Det du har skrivit finns kvar och sidan fortsätter automatiskt.',
  'error.cookie_blocked':
    'Uppgifterna stämmer, men webbläsaren blockerar kakor för den här webbplatsen. Tillåt ' +
    'dem och försök igen.',
  'error.cookie_insecure':
    'Uppgifterna stämmer, men webbläsaren behåller åtkomsten bara på en krypterad sida. ' +
    'Öppna sidan på dess https://-adress.',
  'error.not_found': 'Här finns inget. Det kan ha raderats.',
  'error.unauthorized': 'Du är utloggad.',
  'error.unavailable': 'Tjänsten kan inte göra det just nu. Försök igen om en stund.',
  'error.unknown':
    'Något gick fel. Om du ändrade något, kontrollera om det sparades innan du försöker igen.',
  'error.unreachable':
    'Tjänsten kunde inte nås. Om du ändrade något, kontrollera om det sparades innan du försöker ' +
    'igen.',
  'error.wrong_code': 'Fel kod. Koder byts var 30:e sekund, så kontrollera din klocka.',
  'error.wrong_credentials': 'Fel e-postadress eller lösenord.',
  'left.hours': ['cirka {n} timme', 'cirka {n} timmar'],
  'left.minutes': ['cirka {n} minut', 'cirka {n} minuter'],
  'left.under_minute': 'mindre än en minut',
  'tries.over': 'Du kan försöka igen nu.',
  'tries.wait': 'För många försök. Försök igen om {left}.',
} satisfies Same<typeof english>
