import { countIn, numberIn } from '../../lib/language.ts'
import type { EmailTexts } from '../en/emails.ts'

const files = (count: number) => countIn('uk', count, ['{n} файл', '{n} файли', '{n} файлів'])
const named = (name: string) => name && ` «${name}»`
const fromAddress = (ip: string) => ip && `, IP-адреса ${ip}`
const aboutFiles = 'Якщо ви не знаєте відправника, не відкривайте посилання.'
const moreDeliveries = (count: number) =>
  countIn('uk', count, ['Ще {n} відправлення', 'Ще {n} відправлення', 'Ще {n} відправлень'])
const linkOf = (isRequest: boolean) => (isRequest ? 'вашого запиту на файли' : 'вашої передачі')

export const emails: EmailTexts = {
  files,
  more: (count) => `і ще ${numberIn('uk', count)}`,
  expires: (moment) => `діє до ${moment}`,
  needsPassword: 'з паролем',
  peopleMax: (count) =>
    count === 1
      ? 'для 1 особи'
      : countIn('uk', count, [
          'щонайбільше для {n} особи',
          'щонайбільше для {n} осіб',
          'щонайбільше для {n} осіб',
        ]),
  upTo: (size) => `до ${size}`,
  askForPassword: (who) => `Для посилання потрібен пароль. Запитайте його у відправника: ${who}.`,
  hidden: (hasMessage) =>
    hasMessage
      ? 'Повідомлення та файли буде показано після введення пароля.'
      : 'Файли буде показано після введення пароля.',
  orLink: 'Або відкрийте це посилання:',
  guest: 'Гість',
  footer: (appName) => `Надіслано сервісом ${appName}.`,
  footerFor: (appName, who) => `Надіслано сервісом ${appName}. Відправник: ${who}.`,

  share: {
    subject: (who, name, count) => `${who} надсилає вам ${name ? `«${name}»` : files(count)}`,
    lead: (who) => `${who} надсилає вам файли.`,
    button: 'Відкрити файли',
    why: (who) => `Ви отримали цей лист, бо відправник (${who}) вказав вашу адресу. ${aboutFiles}`,
  },
  addedFiles: {
    subject: (who, name, count) => `${who} додає ${files(count)}${name && ` до «${name}»`}`,
    lead: (who, name, count) =>
      `${who} додає ${files(count)} до ${name ? `«${name}»` : 'попередньої передачі'}.`,
    button: 'Відкрити файли',
    why: (who) =>
      `Ви отримали цей лист, бо відправник (${who}) уже ділився з вами файлами. ${aboutFiles}`,
  },
  request: {
    subject: (who, name) => `${who} просить вас надіслати файли${name && `: «${name}»`}`,
    lead: (who) => `${who} просить вас надіслати файли.`,
    noAccount: 'Акаунт не потрібен. Виберіть файли на сторінці за посиланням.',
    button: 'Надіслати файли',
    why: (who) => `Ви отримали цей лист, бо відправник (${who}) вказав вашу адресу. ${aboutFiles}`,
  },
  delivery: {
    subject: (who, name, count) =>
      name ? `${who} надсилає ${files(count)} до «${name}»` : `${who} надсилає вам ${files(count)}`,
    lead: (who, name) =>
      name ? `${who} надсилає файли до «${name}».` : `${who} надсилає вам файли.`,
    button: 'Відкрити файли',
    why: 'Ви отримали цей лист, бо ваш запит на файли повідомляє про нові файли.',
  },
  deliveries: {
    subject: (name, count) => `${moreDeliveries(count)}${name && ` до «${name}»`}`,
    heading: moreDeliveries,
    lead: (name, count, size) =>
      `Гості надіслали ${files(count)} (${size})${name && ` до «${name}»`}:`,
  },
  damage: {
    subject: (file, others) =>
      others === 0
        ? `Пошкоджено файл: «${file}»`
        : `Пошкоджено файли (${numberIn('uk', others + 1)}): «${file}» і ще ${others}`,
    heading: (count) =>
      count === 1 ? 'Пошкоджено файл' : `Пошкоджено файли: ${numberIn('uk', count)}`,
    what: (file, others, name, isDelivery) => {
      const where = isDelivery
        ? `з відправлення ${name ? `до «${name}»` : 'для вас'}`
        : `з вашої передачі${named(name)}`
      if (others === 0) return `На диску сервісу пошкоджено файл «${file}» ${where}.`
      const more = countIn('uk', others, ['ще {n} файл', 'ще {n} файли', 'ще {n} файлів'])
      return `На диску сервісу пошкоджено файли ${where}: «${file}» і ${more}.`
    },
    advice: (count, isDelivery) => {
      const them = count === 1 ? 'його' : 'їх'
      const again = isDelivery ? `Попросіть надіслати ${them}` : `Надішліть ${them}`
      return (
        `Завантажити ${them} більше не можна. ${again} ще раз і повідомте адміністратора, бо ` +
        'диск, можливо, виходить з ладу.'
      )
    },
    button: (isDelivery) => (isDelivery ? 'Переглянути запит' : 'Переглянути передачу'),
    why: 'Ви отримали цей лист, бо це ваші файли.',
  },
  downloads: {
    subject: (name) => `Ваші файли завантажено${name && `: «${name}»`}`,
    heading: 'Ваші файли завантажено',
    what: (name, people) => {
      const who = countIn('uk', people, [
        '{n} особа завантажила',
        '{n} особи завантажили',
        '{n} осіб завантажили',
      ])
      return `${who} ${name ? `«${name}»` : 'ваші файли'}.`
    },
    latest: (moment) => `останнє завантаження: ${moment}`,
    button: 'Переглянути передачу',
    why: 'Ви отримали цей лист, бо просили повідомляти про завантаження цієї передачі.',
  },
  invitation: {
    subject: (appName) => `Ваш акаунт у сервісі ${appName}`,
    heading: (appName) => `Вітаємо в сервісі ${appName}`,
    what: (appName) => `У сервісі ${appName} для вас створено акаунт.`,
    button: 'Встановити пароль',
    note: (days) => {
      const time = countIn('uk', days, ['{n} день', '{n} дні', '{n} днів'])
      return `Посилання спрацює один раз і діє ${time}.`
    },
    why: 'Якщо ви не чекали на це запрошення, не зважайте на цей лист.',
  },
  linkCode: {
    subject: (code, appName) => `${code} — ваш код для ${appName}`,
    heading: 'Ваш код',
    what: 'Введіть цей код, щоб відкрити надіслані вам файли:',
    note: (minutes) => `Діє один раз, протягом ${minutes} хвилин. Не передавайте його нікому.`,
    why: 'Якщо ви не просили цей код, не зважайте на цей лист.',
  },
  reset: {
    subject: (appName) => `Встановіть новий пароль у сервісі ${appName}`,
    heading: 'Встановіть новий пароль',
    what: (appName) => `Для вашого акаунта в сервісі ${appName} замовлено новий пароль.`,
    button: 'Встановити новий пароль',
    note: (minutes) => {
      const time = countIn('uk', minutes, ['{n} хвилину', '{n} хвилини', '{n} хвилин'])
      return `Посилання спрацює один раз і діє ${time}.`
    },
    why: 'Якщо ви цього не просили, не зважайте на цей лист: ваш пароль не зміниться.',
  },
  signUp: {
    confirm: (appName) => `Підтвердьте свою адресу е-пошти для ${appName}`,
    confirmWhat: (appName) =>
      `На цю адресу запросили акаунт у ${appName}. Виберіть імʼя та пароль, щоб створити його.`,
    confirmButton: 'Створити акаунт',
    confirmNote: (hours) => `Посилання спрацює один раз і діє ${hours} години.`,
    known: (appName) => `У вас уже є акаунт у ${appName}`,
    knownWhat: 'На цю адресу намагалися створити акаунт. Увійдіть або встановіть новий пароль.',
    why: 'Якщо це були не ви, не зважайте на цей лист.',
    approved: (appName) => `Ваш акаунт у ${appName} схвалено`,
    approvedWhat: 'Тепер ви можете ввійти.',
    approvedButton: 'Увійти',
    declined: (appName) => `Ваш запит на акаунт у ${appName}`,
    declinedWhat: (appName) => `Адміністратор ${appName} не схвалив ваш акаунт. Його видалено.`,
    waiting: (count, appName) =>
      `${appName}: ` +
      countIn('uk', count, [
        '{n} людина чекає на схвалення',
        '{n} людини чекають на схвалення',
        '{n} людей чекають на схвалення',
      ]),
    waitingWhat: 'Їхні адреси підтверджено. Схваліть або відхиліть акаунти в розділі «Акаунти».',
    waitingButton: 'Відкрити акаунти',
  },
  notice: {
    subject: (event, appName) => `${appName}: ${event}`,
    events: {
      account_deleted: 'Ваш акаунт видалено',
      api_token_created: 'Для вашого акаунта створено токен API',
      email_changed: 'Електронну адресу вашого акаунта змінено',
      identity_linked: 'До вашого акаунта прив’язано вхід через постачальника',
      identity_unlinked: 'Від вашого акаунта відв’язано вхід через постачальника',
      new_device: 'У ваш акаунт увійшли з нового пристрою',
      passkey_added: 'До вашого акаунта додано ключ доступу',
      passkey_refused: 'Ключ доступу вашого акаунта відхилено: можливо, його скопіювали',
      passkey_removed: 'З вашого акаунта вилучено ключ доступу',
      password_changed: 'Ваш пароль змінено',
      recovery_codes_renewed: 'Резервні коди вашого акаунта замінено',
      second_factor_enabled: 'Для вашого акаунта ввімкнено двоетапну перевірку',
      second_factor_disabled: 'Для вашого акаунта вимкнено двоетапну перевірку',
      sessions_ended: 'Усі інші сеанси вашого акаунта завершено',
      sign_ins_reset: 'Ваш пароль змінено, а всі інші способи входу видалено',
      second_factor_reset: 'Адміністратор скинув двоетапну перевірку вашого акаунта',
    },
    what: (moment, ip) =>
      `Коли: ${moment}${ip === null ? ', на самому сервері' : fromAddress(ip)}.`,
    nothingToDo: 'Якщо це зробили ви, нічого робити не потрібно.',
    changePassword: 'Якщо ні, негайно змініть пароль і повідомте адміністратора.',
    tellAdministrator: 'Якщо ні, негайно повідомте адміністратора.',
    button: 'Відкрити акаунт',
    why: (appName) =>
      `Ви отримали цей лист, бо він стосується вашого акаунта в сервісі ${appName}.`,
  },
  failures: {
    latest: (moment, ip) => `Остання спроба: ${moment}${fromAddress(ip)}.`,
    signIn: {
      subject: (appName) => `Невдалі спроби входу у ваш акаунт у сервісі ${appName}`,
      heading: 'Невдалі спроби входу у ваш акаунт',
      what: (appName) =>
        `Кілька спроб увійти у ваш акаунт у сервісі ${appName} були невдалими через неправильний ` +
        'пароль.',
      advice:
        'Ваш акаунт не заблоковано. Якщо пароль короткий або використовується деінде, змініть ' +
        'його й увімкніть двоетапну перевірку.',
    },
    code: {
      subject: (appName) => `Неправильні коди для вашого акаунта в сервісі ${appName}`,
      heading: 'Неправильні коди для вашого акаунта',
      what: (appName) =>
        `Для вашого акаунта в сервісі ${appName} після правильного пароля вводили неправильні ` +
        'коди.',
      advice:
        'Якщо це були не ви, хтось знає ваш пароль. Змініть його зараз і повідомте адміністратора.',
    },
    link: {
      subject: (isRequest, name) => `Неправильні паролі до ${linkOf(isRequest)}${named(name)}`,
      heading: (isRequest) => `Неправильні паролі до ${linkOf(isRequest)}`,
      what: (isRequest, name, appName) =>
        `У сервісі ${appName} вводили багато неправильних паролів до ` +
        `${linkOf(isRequest)}${named(name)}.`,
      advice:
        'З правильним паролем посилання й далі діє. Якщо цей пароль короткий, виберіть довший і ' +
        'надішліть його отримувачам.',
      button: (isRequest) => (isRequest ? 'Відкрити запити на файли' : 'Відкрити передачі'),
    },
  },
  problems: {
    subject: (title, appName) => `${appName}: ${title}`,
    heading: (count) => countIn('uk', count, ['{n} проблема', '{n} проблеми', '{n} проблем']),
    disks: {
      files_full: 'Диск сховища заповнено',
      files_low: 'Диск сховища майже заповнено',
      database_full: 'Диск бази даних заповнено',
      database_low: 'Диск бази даних майже заповнено',
    },
    space: (free, floor) => `Вільно ${free}. Нижче ${floor} вивантаження зупиняються.`,
    emails: (count) =>
      countIn('uk', count, [
        '{n} лист не вдалося доставити',
        '{n} листи не вдалося доставити',
        '{n} листів не вдалося доставити',
      ]),
    emailsAdvice: 'Прочитайте відповідь поштового сервера в огляді, а потім спробуйте ще раз.',
    jobs: (count) =>
      countIn('uk', count, [
        '{n} фонове завдання постійно завершується помилкою',
        '{n} фонові завдання постійно завершуються помилкою',
        '{n} фонових завдань постійно завершуються помилкою',
      ]),
    jobsAdvice: (names) =>
      `Понад годину не виконуються: ${names}. Причину вказано в логах сервісу.`,
    damageAdvice:
      'Команда «transfer verify» покаже пошкоджені файли. Відновіть їх із резервної копії.',
    updated: (appName, version) => `Сервіс ${appName} оновлено до версії ${version}`,
    migrated: 'Базу даних перенесено, сервіс працює.',
    button: 'Відкрити огляд',
    why: (appName) =>
      `Ви отримали цей лист, бо адмініструєте сервіс ${appName}. Такі листи можна вимкнути ` +
      'в налаштуваннях пошти.',
  },
  test: {
    subject: (appName) => `Тестовий лист від сервісу ${appName}`,
    heading: 'Пошта працює',
    what: (appName) => `Сервіс ${appName} може надсилати листи. Цей тест замовив адміністратор.`,
    button: (appName) => `Відкрити ${appName}`,
  },
}
