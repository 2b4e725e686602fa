import type { Same, Three } from '../../lib/i18n.ts'
import type { texts as english } from '../en/setup.ts'
import { common } from './common.ts'
import { disk } from './disk.ts'

export const texts = {
  ...common,
  ...disk,
  'setup.account_title': 'Створіть акаунт адміністратора',
  'common.step': 'Крок {n} з {all}',
  'setup.account_text': 'Перший акаунт керує цим сервісом.',
  'setup.account_action': 'Створити акаунт',
  'setup.password_hint': 'Щонайменше 8 символів. Кілька слів легко запам’ятати й важко вгадати.',
  'setup.token': 'Токен налаштування',
  'setup.token_hint': 'Він є в логах сервісу, після «token=» у рядку, що починається з «setup:».',
  'setup.no_token':
    'У цій адресі немає токена налаштування. Скопіюйте з логів усю адресу або введіть токен.',
  'setup.wrong_token':
    'Неправильний токен налаштування. Кожен запуск сервісу створює новий: візьміть останній ' +
    'рядок «setup:» у логах.',
  'setup.taken': 'Тим часом цей сервіс уже налаштували. Введені вами дані не збережено.',
  'setup.address_title': 'Назва й адреса',
  'setup.app_name': 'Назва сервісу',
  'setup.app_name_hint': 'Її видно на кожній сторінці й у кожному листі.',
  'setup.other_address':
    'Ви відкрили цю сторінку за адресою {here}, але посилання починатимуться з {address}. Якщо ' +
    'ця адреса недоступна отримувачам, виправте BASE_URL і перезапустіть сервіс.',
  'setup.links_begin': 'Посилання починаються з {address}.',
  'setup.plain_http':
    'Ця адреса не зашифрована: файли й паролі можна перехопити. У мережі, якій ви не ' +
    'довіряєте, поставте перед сервісом проксі-сервер HTTPS і вкажіть у BASE_URL його адресу ' +
    'https.',
  'setup.no_cookie':
    'BASE_URL починається з https, тож браузери зберігають вхід лише за цією адресою. Завершіть ' +
    'налаштування тут, а потім увійдіть за адресою {address}.',
  'setup.proxy_believed': 'Сервіс працює за довіреним проксі-сервером. Ваша адреса: {ip}.',
  'setup.proxy_ignored':
    'Сервіс працює за проксі-сервером, якого немає в TRUST_PROXY, тож усі мають адресу {ip}, а ' +
    'неправильні паролі однієї людини блокують усіх. Вкажіть у TRUST_PROXY адресу ' +
    'проксі-сервера й перезапустіть сервіс.',
  'setup.proxy_silent':
    'TRUST_PROXY задано, але цей запит від {ip} не має заголовка X-Forwarded-For. Якщо ' +
    'проксі-сервер є, налаштуйте його надсилати цей заголовок.',
  'setup.limits_title': 'Сховище й ліміти',
  'setup.share_limit': 'Найбільша передача (ГБ)',
  'setup.quota': 'Ліміт місця на акаунт (ГБ)',
  'setup.unlimited': 'Залиште порожнім, щоб не обмежувати.',
  'setup.expiry': 'Термін дії посилань',
  'setup.expiry_hint':
    'Якщо відправник не вибере інакше. Залиште порожнім, щоб посилання діяли безстроково.',
  'setup.unit': 'Одиниця',
  'setup.unit.Hours': 'години',
  'setup.unit.Days': 'дні',
  'setup.unit.Weeks': 'тижні',
  'setup.unit.Months': 'місяці',
  'setup.mail_title': 'Пошта',
  'setup.mail_text':
    'Із сервером SMTP сервіс може надсилати посилання, повідомляти про відправлення та скидати ' +
    'паролі. Його можна налаштувати й пізніше.',
  'setup.smtp_host': 'Сервер SMTP',
  'setup.smtp_port': 'Порт',
  'setup.smtp_security': 'Шифрування',
  'setup.security.starttls': 'STARTTLS (порт 587)',
  'setup.security.tls': 'TLS (порт 465)',
  'setup.security.none': 'Немає: листи можна перехопити',
  'setup.smtp_user': 'Ім’я користувача',
  'setup.smtp_user_hint': 'Залиште порожнім, якщо сервер його не вимагає.',
  'setup.smtp_from': 'Адреса відправника',
  'setup.smtp_from_hint': 'Наприклад, files@example.org',
  'setup.test': 'Зберегти й надіслати тестовий лист',
  'setup.test_sent': 'Сервер прийняв лист на адресу {email}. Його відповідь:',
  'setup.test_failed': 'Лист не надіслано:',
  'setup.skip': 'Пропустити',
  'setup.done_title': 'Ваш сервіс готовий',
  'setup.done_text':
    'Надішліть файл, щоб переконатися, що все працює. Потім додайте акаунти для тих, хто ' +
    'користуватиметься сервісом.',
  'setup.add_accounts': 'Додати акаунти',
  'setup.first_file': 'Надіслати перший файл',
  'setup.sign_in': 'Увійти',
  'setup.closed_title': 'Цей сервіс уже налаштовано',
  'setup.closed_text': 'Якщо у вас є акаунт, увійдіть. Якщо ні, зверніться до оператора сервісу.',
} satisfies Same<typeof english, Three>
