import { countIn, numberIn } from '../../lib/language.ts'
import type { EmailTexts } from '../en/emails.ts'

const files = (count: number) => countIn('es', count, ['{n} archivo', '{n} archivos'])
const quoted = (name: string) => `“${name}”`
const named = (name: string) => name && ` ${quoted(name)}`
const fromAddress = (ip: string) => ip && `, desde la dirección IP ${ip}`
const aboutFiles = 'Si no conoces al remitente, no abras el enlace.'
const linkOf = (isRequest: boolean) => (isRequest ? 'tu solicitud de archivos' : 'tu envío')
const moreDeliveries = (count: number) =>
  countIn('es', count, ['{n} entrega más', '{n} entregas más'])

export const emails: EmailTexts = {
  files,
  more: (count) => `+${numberIn('es', count)} más`,
  expires: (moment) => `caduca el ${moment}`,
  needsPassword: 'con contraseña',
  peopleMax: (count) => countIn('es', count, ['para {n} persona', 'para {n} personas como máximo']),
  upTo: (size) => `hasta ${size}`,
  askForPassword: (who) => `El enlace necesita una contraseña. Pídesela a ${who}.`,
  hidden: (hasMessage) =>
    hasMessage
      ? 'El mensaje y los archivos se muestran al introducir la contraseña.'
      : 'Los archivos se muestran al introducir la contraseña.',
  orLink: 'O abre este enlace:',
  guest: 'Un invitado',
  footer: (appName) => `Enviado por ${appName}.`,
  footerFor: (appName, who) => `Enviado con ${appName} en nombre de ${who}.`,

  share: {
    subject: (who, name, count) => `${who} te ha enviado ${name ? quoted(name) : files(count)}`,
    lead: (who) => `${who} te ha enviado archivos.`,
    button: 'Abrir archivos',
    why: (who) => `Recibes este correo porque ${who} ha indicado tu dirección. ${aboutFiles}`,
  },
  addedFiles: {
    subject: (who, name, count) =>
      `${who} ha añadido ${files(count)}${name && ` a ${quoted(name)}`}`,
    lead: (who, name, count) =>
      `${who} ha añadido ${files(count)} a ${name ? quoted(name) : 'un envío anterior'}.`,
    button: 'Abrir archivos',
    why: (who) =>
      `Recibes este correo porque ${who} ya ha compartido archivos contigo. ${aboutFiles}`,
  },
  request: {
    subject: (who, name) => `${who} te solicita archivos${name && `: ${quoted(name)}`}`,
    lead: (who) => `${who} te solicita archivos.`,
    noAccount: 'No necesitas una cuenta. Elige tus archivos en la página del enlace.',
    button: 'Enviar archivos',
    why: (who) => `Recibes este correo porque ${who} ha indicado tu dirección. ${aboutFiles}`,
  },
  delivery: {
    subject: (who, name, count) =>
      name
        ? `${who} ha enviado ${files(count)} para ${quoted(name)}`
        : `${who} te ha enviado ${files(count)}`,
    lead: (who, name) =>
      name ? `${who} ha enviado archivos para ${quoted(name)}.` : `${who} te ha enviado archivos.`,
    button: 'Abrir archivos',
    why: 'Recibes este correo porque tu solicitud de archivos te avisa cuando llegan.',
  },
  deliveries: {
    subject: (name, count) => `${moreDeliveries(count)}${name && ` para ${quoted(name)}`}`,
    heading: moreDeliveries,
    lead: (name, count, size) =>
      `Varios invitados han enviado ${files(count)} (${size})${name && ` para ${quoted(name)}`}:`,
  },
  damage: {
    subject: (file, others) =>
      others === 0
        ? `Un archivo está dañado: ${quoted(file)}`
        : `${files(others + 1)} están dañados: ${quoted(file)} y ${numberIn('es', others)} más`,
    heading: (count) => (count === 1 ? 'Un archivo está dañado' : `${files(count)} están dañados`),
    what: (file, others, name, isDelivery) => {
      const received = name ? `, recibido para ${quoted(name)},` : ', que has recibido,'
      const where = isDelivery ? received : ` de tu envío${named(name)}`
      if (others === 0) {
        return `El archivo ${quoted(file)}${where} está dañado en el disco del servicio.`
      }
      const allReceived = name ? `, recibidos para ${quoted(name)},` : ', que has recibido,'
      const all = isDelivery ? allReceived : ` de tu envío${named(name)}`
      const rest = countIn('es', others, ['{n} archivo más', '{n} archivos más'])
      return `${quoted(file)} y ${rest}${all} están dañados en el disco del servicio.`
    },
    advice: (count, isDelivery) => {
      const [they, them] = count === 1 ? ['Ya no se puede', 'lo'] : ['Ya no se pueden', 'los']
      return (
        `${they} descargar. Vuelve a ${isDelivery ? 'pedir' : 'enviar'}${them} y avisa a tu ` +
        'administrador, porque puede que esté fallando un disco.'
      )
    },
    button: (isDelivery) => (isDelivery ? 'Ver solicitud de archivos' : 'Ver envío'),
    why: 'Recibes este correo porque los archivos son tuyos.',
  },
  downloads: {
    subject: (name) => `Tus archivos se han descargado${name && `: ${quoted(name)}`}`,
    heading: 'Tus archivos se han descargado',
    what: (name, people) => {
      const who = countIn('es', people, ['{n} persona ha', '{n} personas han'])
      return `${who} descargado ${name ? quoted(name) : 'tus archivos'}.`
    },
    latest: (moment) => `última descarga: ${moment}`,
    button: 'Ver envío',
    why: 'Recibes este correo porque has pedido que se te avise de las descargas de este envío.',
  },
  invitation: {
    subject: (appName) => `Tu cuenta en ${appName}`,
    heading: (appName) => `Te damos la bienvenida a ${appName}`,
    what: (appName) => `Se ha creado una cuenta para ti en ${appName}.`,
    button: 'Elegir tu contraseña',
    note: (days) => {
      const time = countIn('es', days, ['{n} día', '{n} días'])
      return `El enlace funciona una sola vez y caduca en ${time}.`
    },
    why: 'Si no esperabas esta invitación, ignora este correo.',
  },
  linkCode: {
    subject: (code, appName) => `${code} es tu código para ${appName}`,
    heading: 'Tu código',
    what: 'Escribe este código para abrir los archivos que te han enviado:',
    note: (minutes) => `Funciona una vez, durante ${minutes} minutos. No lo compartas.`,
    why: 'Si no has pedido este código, ignora este correo.',
  },
  reset: {
    subject: (appName) => `Establece una contraseña nueva para ${appName}`,
    heading: 'Establece una contraseña nueva',
    what: (appName) => `Se ha pedido una contraseña nueva para tu cuenta en ${appName}.`,
    button: 'Establecer contraseña nueva',
    note: (minutes) => {
      const time = countIn('es', minutes, ['{n} minuto', '{n} minutos'])
      return `El enlace funciona una sola vez y caduca en ${time}.`
    },
    why: 'Si no lo has pedido tú, ignora este correo: tu contraseña no cambia.',
  },
  signUp: {
    confirm: (appName) => `Confirma tu dirección de correo para ${appName}`,
    confirmWhat: (appName) =>
      `Se ha solicitado una cuenta en ${appName} con esta dirección. Elige un nombre y una ` +
      'contraseña para crearla.',
    confirmButton: 'Crear cuenta',
    confirmNote: (hours) => `El enlace funciona una vez y caduca en ${hours} horas.`,
    known: (appName) => `Ya tienes una cuenta en ${appName}`,
    knownWhat:
      'Se ha intentado crear una cuenta con esta dirección. Inicia sesión o establece una ' +
      'contraseña nueva.',
    why: 'Si no has sido tú, ignora este correo.',
    approved: (appName) => `Tu cuenta en ${appName} está aprobada`,
    approvedWhat: 'Ya puedes iniciar sesión.',
    approvedButton: 'Iniciar sesión',
    declined: (appName) => `Tu solicitud de cuenta en ${appName}`,
    declinedWhat: (appName) =>
      `Un administrador de ${appName} no ha aprobado tu cuenta. Se ha eliminado.`,
    waiting: (count, appName) =>
      `${appName}: ` +
      countIn('es', count, ['{n} persona espera aprobación', '{n} personas esperan aprobación']),
    waitingWhat:
      'Su dirección de correo está confirmada. Aprueba o rechaza sus cuentas en «Cuentas».',
    waitingButton: 'Abrir las cuentas',
  },
  notice: {
    subject: (event, appName) => `${appName}: ${event}`,
    events: {
      account_deleted: 'Se ha eliminado tu cuenta',
      api_token_created: 'Se ha creado un token de API para tu cuenta',
      email_changed: 'Se ha cambiado la dirección de correo de tu cuenta',
      identity_linked: 'Se ha vinculado a tu cuenta un inicio de sesión con un proveedor',
      identity_unlinked: 'Se ha desvinculado de tu cuenta un inicio de sesión con un proveedor',
      new_device: 'Se ha iniciado sesión en tu cuenta desde un dispositivo nuevo',
      passkey_added: 'Se ha añadido una llave de acceso a tu cuenta',
      passkey_refused:
        'Se ha rechazado una llave de acceso de tu cuenta: puede que alguien la haya copiado',
      passkey_removed: 'Se ha eliminado una llave de acceso de tu cuenta',
      password_changed: 'Se ha cambiado tu contraseña',
      recovery_codes_renewed: 'Se han reemplazado los códigos de recuperación de tu cuenta',
      second_factor_enabled: 'Se ha activado la verificación en dos pasos de tu cuenta',
      second_factor_disabled: 'Se ha desactivado la verificación en dos pasos de tu cuenta',
      sessions_ended: 'Se han cerrado todas las demás sesiones de tu cuenta',
      sign_ins_reset:
        'Tu contraseña se cambió y se eliminaron todas las demás formas de iniciar sesión',
      second_factor_reset:
        'Un administrador ha restablecido la verificación en dos pasos de tu cuenta',
    },
    what: (moment, ip) =>
      `Ocurrió el ${moment}${ip === null ? ', en el propio servidor' : fromAddress(ip)}.`,
    nothingToDo: 'Si lo has hecho tú, no tienes que hacer nada.',
    changePassword: 'Si no, cambia ahora tu contraseña y avisa a tu administrador.',
    tellAdministrator: 'Si no, avisa de inmediato a tu administrador.',
    button: 'Abrir tu cuenta',
    why: (appName) => `Recibes este correo porque se refiere a tu cuenta en ${appName}.`,
  },
  failures: {
    latest: (moment, ip) => `El último intento fue el ${moment}${fromAddress(ip)}.`,
    signIn: {
      subject: (appName) => `Inicios de sesión fallidos en tu cuenta de ${appName}`,
      heading: 'Inicios de sesión fallidos en tu cuenta',
      what: (appName) =>
        `Varios inicios de sesión en tu cuenta de ${appName} han fallado por una contraseña ` +
        'incorrecta.',
      advice:
        'Tu cuenta no está bloqueada. Si tu contraseña es corta o la usas en otros sitios, ' +
        'cámbiala y activa la verificación en dos pasos.',
    },
    code: {
      subject: (appName) => `Códigos incorrectos para tu cuenta de ${appName}`,
      heading: 'Códigos incorrectos para tu cuenta',
      what: (appName) =>
        `Se han escrito códigos incorrectos para tu cuenta de ${appName} después de la ` +
        'contraseña correcta.',
      advice:
        'Si no has sido tú, otra persona conoce tu contraseña. Cámbiala ahora y avisa a tu ' +
        'administrador.',
    },
    link: {
      subject: (isRequest, name) =>
        `Contraseñas incorrectas para ${linkOf(isRequest)}${named(name)}`,
      heading: (isRequest) => `Contraseñas incorrectas para ${linkOf(isRequest)}`,
      what: (isRequest, name, appName) =>
        `Se han escrito muchas contraseñas incorrectas para ${linkOf(isRequest)}${named(name)} ` +
        `en ${appName}.`,
      advice:
        'El enlace sigue funcionando con la contraseña correcta. Si es corta, elige una más ' +
        'larga y envíasela a tus destinatarios.',
      button: (isRequest) => (isRequest ? 'Abrir tus solicitudes de archivos' : 'Abrir tus envíos'),
    },
  },
  problems: {
    subject: (title, appName) => `${appName}: ${title}`,
    heading: (count) => countIn('es', count, ['{n} problema', '{n} problemas']),
    disks: {
      files_full: 'El disco de almacenamiento está lleno',
      files_low: 'El disco de almacenamiento está casi lleno',
      database_full: 'El disco de la base de datos está lleno',
      database_low: 'El disco de la base de datos está casi lleno',
    },
    space: (free, floor) =>
      `Espacio libre: ${free}. Las subidas se detienen por debajo de ${floor}.`,
    emails: (count) =>
      countIn('es', count, [
        '{n} correo no se ha podido entregar',
        '{n} correos no se han podido entregar',
      ]),
    emailsAdvice: 'Lee la respuesta del servidor de correo en el resumen y vuelve a intentarlo.',
    jobs: (count) =>
      countIn('es', count, [
        '{n} tarea en segundo plano falla una y otra vez',
        '{n} tareas en segundo plano fallan una y otra vez',
      ]),
    jobsAdvice: (names) =>
      `Fallan desde hace más de una hora: ${names}. El registro del servicio indica el motivo.`,
    damageAdvice:
      'Ejecuta «transfer verify» para ver los archivos dañados y restáuralos desde una ' +
      'copia de seguridad.',
    updated: (appName, version) => `${appName} se ha actualizado a la versión ${version}`,
    migrated: 'La base de datos se ha migrado y el servicio está en marcha.',
    button: 'Abrir el resumen',
    why: (appName) =>
      `Recibes este correo porque administras ${appName}. Puedes desactivarlo en los ` +
      'ajustes de correo.',
  },
  test: {
    subject: (appName) => `Correo de prueba de ${appName}`,
    heading: 'El envío de correos funciona',
    what: (appName) => `${appName} puede enviar correos. Un administrador ha pedido esta prueba.`,
    button: (appName) => `Abrir ${appName}`,
  },
}
