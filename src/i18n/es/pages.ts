import { countIn } from '../../lib/language.ts'
import type { PageTexts } from '../en/pages.ts'

const sender = 'la persona que te envió el enlace'
const ask = (owner: string) => `Pide una nueva a ${owner || sender}.`

export const pages: PageTexts = {
  share: {
    untitled: 'Archivos para ti',
    sent: (owner) => `${owner} te ha enviado`,
    sending: (owner) => `${owner} te está enviando`,
    files: (count) => countIn('es', count, ['{n} archivo', '{n} archivos']),
    from: (owner) => `de ${owner}`,
    until: 'Disponible hasta el',
    endedOn: 'Terminó el',
    left: (count) => {
      if (count === 0) return 'límite de descargas alcanzado para los demás'
      return countIn('es', count, [
        '{n} persona más puede descargar',
        '{n} personas más pueden descargar',
      ])
    },
    leftHint: 'En cuanto abras o descargues un archivo, podrás descargarlo todo durante 24 horas.',
    all: (size) => `Descargar todo · ${size}`,
    one: (size) => `Descargar · ${size}`,
    more: (count) =>
      countIn('es', count, ['y {n} archivo más, en el ZIP', 'y {n} archivos más, en el ZIP']),
    empty: 'Este envío no tiene archivos.',
    damaged: 'Dañado',
    damagedFiles: (count) =>
      countIn('es', count, [
        '{n} archivo está dañado en el servidor y no se puede descargar. ' +
          'Pide que te lo vuelvan a enviar.',
        '{n} archivos están dañados en el servidor y no se pueden descargar. ' +
          'Pide que te los vuelvan a enviar.',
      ]),
    locked: 'Estos archivos están protegidos con contraseña.',
    lockedBy: (owner) => `${owner} ha protegido estos archivos con una contraseña.`,
    qrCode: 'Abrir en el teléfono',
    qrCodeImage: 'Código QR del enlace a esta página',
    report: 'Denunciar este envío',
    password: 'Contraseña',
    passwordWrong: 'Contraseña incorrecta. Revisa las mayúsculas y los espacios.',
    passwordWait: 'Demasiados intentos. Inténtalo de nuevo en unos minutos.',
    proofCode: (address) =>
      `Este enlace es personal. Para abrirlo, escribe el código que enviaremos a ${address}.`,
    proofAccount: (address) =>
      `Este enlace es personal. Para abrirlo, inicia sesión con la cuenta de ${address}.`,
    codeSend: 'Enviarme un código',
    codeSent: (address) => `Hemos enviado un código a ${address}. Es válido durante diez minutos.`,
    codeField: 'Código',
    codeOpen: 'Abrir',
    codeAgain: 'Enviar otro código',
    codeWrong: 'El código es incorrecto o ya no es válido. Compruébalo o pide uno nuevo.',
    codeWait: 'Se han pedido demasiados códigos. Inténtalo de nuevo en unos minutos.',
    uploading: (percent) =>
      `Todavía se está subiendo${percent}. Los archivos aparecerán aquí cuando estén todos.`,
    paused: (percent, ago) =>
      `Subida en pausa${percent === null ? '' : ` al ${percent}`}, última actividad ${ago}. ` +
      'Los archivos aparecerán aquí cuando estén todos.',
    abandoned: (owner) =>
      `${owner || 'La persona que te envió el enlace'} no ha terminado esta subida y no ha ` +
      'llegado nada desde hace un día. Vuelve a pedir los archivos.',
    openAgain: 'Sin JavaScript, vuelve a abrir este enlace más tarde.',
    notFound: {
      title: 'Enlace no encontrado',
      text:
        'Puede que el enlace esté incompleto o que sus archivos se hayan eliminado. ' +
        'Pide uno nuevo a la persona que te lo envió.',
    },
    expired: {
      title: 'Este envío está cerrado',
      text: (owner) => `Pide a ${owner || sender} que vuelva a compartir los archivos.`,
    },
    usedUp: {
      title: 'Límite de descargas alcanzado',
      text: (owner) => `Pide un enlace nuevo a ${owner || 'la persona que te envió este'}.`,
    },
  },
  request: {
    untitled: 'Archivos',
    asks: (owner) => `${owner} te pide`,
    locked: 'Escribe la contraseña para enviar archivos.',
    needsScript: 'Para enviar archivos hace falta JavaScript o la API.',
    unlockNeedsScript: 'Para desbloquear hace falta JavaScript o la API.',
    notFound: {
      title: 'Enlace no encontrado',
      text:
        'Puede que el enlace esté incompleto o que se haya eliminado. ' +
        'Pide uno nuevo a la persona que te lo envió.',
    },
    isClosed: 'Esta solicitud está cerrada',
    expired: (day, owner) => `Está cerrada desde el ${day}. ${ask(owner)}`,
    closed: (day, owner) => `Solo se admitía una entrega y ya se hizo el ${day}. ` + ask(owner),
  },
  notFound: {
    title: 'Página no encontrada',
    text: 'Puede que la dirección esté incompleta o que lo que había aquí se haya eliminado.',
    home: 'Ir a la página de inicio',
  },
  notSetUp: {
    title: 'Aún sin configurar',
    how:
      'Este servicio no tiene administrador. Abre el enlace de instalación del registro del ' +
      'servidor para crear uno.',
    command: 'Está en la línea que empieza por «setup:». Para encontrarla:',
    afterwards: 'Después, vuelve a cargar esta página para iniciar sesión.',
    again: 'Volver a cargar',
  },
  home: { title: 'Te damos la bienvenida', signIn: 'Iniciar sesión' },
  app: { send: 'Enviar archivos', requests: 'Solicitudes de archivos' },
  footer: { imprint: 'Aviso legal', privacy: 'Privacidad' },
  unloaded: { title: 'Esta página no se ha cargado por completo', action: 'Volver a cargarla' },
}
