import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/reset.ts'

export const texts = {
  'invited.action': 'Встановити пароль і ввійти',
  'invited.text': 'Для вас створено акаунт. Придумайте пароль, щоб увійти.',
  'invited.title': 'Запрошення',
  'invited.welcome': 'Вітаємо, {name}',
  'invited.wrong': 'Це запрошення більше не діє. Попросіть нове.',
  'reset.again': 'Замовити нове посилання',
  'reset.ask': 'Надіслати мені посилання',
  'reset.asked':
    'Якщо є акаунт із цією адресою, ви скоро отримаєте лист. Посилання в ньому діє годину.',
  'reset.done': 'Пароль змінено. Усі інші сеанси завершено.',
  'reset.new_password': 'Новий пароль',
  'reset.no_mail':
    'Цей сервіс не надсилає листів. Попросіть в оператора посилання для скидання пароля.',
  'reset.rule': 'Щонайменше 8 символів. Кілька слів легко запам’ятати й важко вгадати.',
  'reset.set': 'Встановити пароль',
  'reset.set_title': 'Встановіть новий пароль',
  'reset.title': 'Забули пароль?',
  'reset.to_login': 'Перейти до входу',
  'reset.wrong_link': 'Це посилання більше не діє. Замовте нове.',
  'error.wrong_proxy_user': 'Із цим акаунтом тут не можна ввійти. Зверніться до адміністратора.',
  'proxy.action': 'Продовжити як {name}',
  'proxy.text': 'Ви ввійшли через свою організацію.',
} satisfies Same<typeof english, Three>
