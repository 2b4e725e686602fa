import type { Same, Three } from '../../lib/i18n.ts'
import type { people as english } from '../en/people.ts'

export const people = {
  'people.add': 'Dodaj osobę',
  'people.anyone': 'Osoby z linkiem',
  'people.audience': 'Kto może je otworzyć',
  'people.change_hint': 'Zmiana przerywa trwające pobierania.',
  'people.devices': ['{n} urządzenie', '{n} urządzenia', '{n} urządzeń'],
  'people.empty': 'Dodaj osoby, które mogą otworzyć to udostępnienie.',
  'people.named': 'Tylko wskazane osoby',
  'people.named_hint': 'Każda osoba dostaje własny link, który można unieważnić.',
  'people.no_address': 'Bez adresu e-mail przekaż link samodzielnie.',
  'people.not_opened': 'jeszcze nieotwarte',
  'people.opened': 'Otwarto',
  'people.proof': 'Potwierdzenie tożsamości',
  'people.proof.account': 'logowanie z adresem e-mail',
  'people.proof.code': 'kod z e-maila',
  'people.proof.none': 'sam link',
  'people.revoke': 'Unieważnij link',
  'people.revoke_text':
    'Link natychmiast przestanie działać, także dla trwających pobierań. Po ponownym dodaniu ' +
    'osoba dostanie nowy link.',
  'people.revoke_title': 'Unieważnić link: {name}?',
  'people.revoked': 'unieważniony',
  'people.revoked_toast': 'Unieważniono link: {name}.',
  'people.unsent': 'nie wysłano',
  'people.who': 'Osoba',
} satisfies Same<typeof english, Three>
