import type { Same, Three } from '../../lib/i18n.ts'
import type { people as english } from '../en/people.ts'

export const people = {
  'people.add': 'Додати особу',
  'people.anyone': 'Люди з посиланням',
  'people.audience': 'Хто може відкрити',
  'people.change_hint': 'Зміна зупиняє поточні завантаження.',
  'people.devices': ['{n} пристрій', '{n} пристрої', '{n} пристроїв'],
  'people.empty': 'Додайте осіб, які можуть відкрити цю передачу.',
  'people.named': 'Лише вказані особи',
  'people.named_hint': 'Кожна особа отримує власне посилання, яке можна скасувати.',
  'people.no_address': 'Без адреси електронної пошти передайте посилання самостійно.',
  'people.not_opened': 'ще не відкрито',
  'people.opened': 'Відкрито',
  'people.proof': 'Підтвердження особи',
  'people.proof.account': 'вхід з адресою електронної пошти',
  'people.proof.code': 'код електронною поштою',
  'people.proof.none': 'лише посилання',
  'people.revoke': 'Скасувати посилання',
  'people.revoke_text':
    'Посилання одразу перестане діяти, зокрема для поточних завантажень. Якщо додати особу ' +
    'знову, вона отримає нове посилання.',
  'people.revoke_title': 'Скасувати посилання: {name}?',
  'people.revoked': 'скасовано',
  'people.revoked_toast': 'Посилання скасовано: {name}.',
  'people.unsent': 'не надіслано',
  'people.who': 'Особа',
} satisfies Same<typeof english, Three>
