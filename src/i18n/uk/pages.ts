import { countIn } from '../../lib/language.ts'
import type { PageTexts } from '../en/pages.ts'

const sender = (owner: string) => `відправника${owner && ` (${owner})`}`
const askForNew = (owner: string) =>
  `Попросіть нове посилання у відправника${owner && ` (${owner})`}.`

export const pages: PageTexts = {
  share: {
    untitled: 'Файли для вас',
    sent: (owner) => `${owner} надсилає вам`,
    sending: (owner) => `${owner} саме зараз надсилає вам`,
    files: (count) => countIn('uk', count, ['{n} файл', '{n} файли', '{n} файлів']),
    from: (owner) => `від: ${owner}`,
    until: 'Доступно до',
    left: (count) => {
      if (count === 0) return 'для інших ліміт завантажень вичерпано'
      return countIn('uk', count, [
        'може завантажити ще {n} особа',
        'можуть завантажити ще {n} особи',
        'можуть завантажити ще {n} осіб',
      ])
    },
    leftHint:
      'Після відкриття або завантаження першого файлу ви маєте 24 години, щоб завантажити все.',
    all: (size) => `Завантажити все · ${size}`,
    one: (size) => `Завантажити · ${size}`,
    more: (count) =>
      countIn('uk', count, [
        'і ще {n} файл, в архіві ZIP',
        'і ще {n} файли, в архіві ZIP',
        'і ще {n} файлів, в архіві ZIP',
      ]),
    empty: 'Ця передача не містить файлів.',
    damaged: 'Пошкоджено',
    damagedFiles: (count) => {
      const files = countIn('uk', count, ['{n} файл', '{n} файли', '{n} файлів'])
      const them = count === 1 ? 'його' : 'їх'
      return (
        `${files} на сервері пошкоджено, завантажити ${them} не можна. ` +
        `Попросіть відправника надіслати ${them} ще раз.`
      )
    },
    locked: 'Ці файли захищено паролем.',
    lockedBy: (owner) => `${owner} захищає ці файли паролем.`,
    qrCode: 'Відкрити на телефоні',
    qrCodeImage: 'QR-код із посиланням на цю сторінку',
    report: 'Поскаржитися на цю передачу',
    unlockNeedsScript: 'Для розблокування потрібен JavaScript або API.',
    uploading: (percent) =>
      `Вивантаження ще триває${percent}. Файли з’являться тут, коли надійдуть усі.`,
    paused: (percent, ago) =>
      `Вивантаження призупинено${percent === null ? '' : ` на ${percent}`}, остання активність ` +
      `${ago}. Файли з’являться тут, коли надійдуть усі.`,
    abandoned: (owner) =>
      'Це вивантаження не завершено, і вже добу нічого не надходить. ' +
      `Попросіть ${sender(owner)} надіслати файли ще раз.`,
    openAgain: 'Без JavaScript відкрийте це посилання знову пізніше.',
    notFound: {
      title: 'Посилання не знайдено',
      text: 'Можливо, посилання неповне або його файли видалено.',
    },
    expired: {
      title: 'Термін дії посилання минув',
      text: (day, owner) =>
        `Ця передача завершилася${day && ` (${day})`}. ` +
        `Попросіть ${sender(owner)} поділитися файлами ще раз.`,
    },
    usedUp: {
      title: 'Ліміт завантажень вичерпано',
      text: (owner) =>
        'Ліміт завантажень відправника вичерпано. ' +
        `Попросіть у ${sender(owner)} нове посилання.`,
    },
  },
  request: {
    untitled: 'Файли',
    asks: (owner) => `${owner} просить у вас`,
    locked: 'Введіть пароль, щоб надіслати файли.',
    needsScript: 'Для надсилання потрібен JavaScript або API.',
    unlockNeedsScript: 'Для розблокування потрібен JavaScript або API.',
    limit: (size) => `до ${size}`,
    until: 'відкрито до',
    only: (extensions) => `лише ${extensions}`,
    once: 'на одне відправлення',
    notFound: {
      title: 'Посилання не знайдено',
      text: 'Можливо, посилання неповне або його видалено.',
    },
    isClosed: 'Цей запит закрито',
    expired: (day, owner) => `Його закрито (${day}). ${askForNew(owner)}`,
    closed: (day, owner) =>
      `Можливим було лише одне відправлення, і його вже зроблено (${day}). ${askForNew(owner)}`,
  },
  notFound: {
    title: 'Сторінку не знайдено',
    text: 'Можливо, адреса неповна або те, що тут було, видалено.',
    home: 'Перейти на головну сторінку',
  },
  notSetUp: {
    title: 'Ще не налаштовано',
    how:
      'У цього сервісу немає адміністратора. Щоб створити його, відкрийте посилання для ' +
      'налаштування з логів сервера.',
    command: 'Як знайти його із systemd:',
    afterwards: 'Потім оновіть цю сторінку, щоб увійти.',
    again: 'Оновити',
  },
  home: { title: 'Вітаємо', signIn: 'Увійти' },
  app: { send: 'Надіслати файли', requests: 'Запити на файли' },
  footer: { imprint: 'Правова інформація', privacy: 'Конфіденційність' },
  unloaded: { title: 'Сторінка завантажилася не повністю', action: 'Оновити сторінку' },
}
