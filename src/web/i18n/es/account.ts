import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/account.ts'
import { provider } from './provider.ts'
import { theme } from './theme.ts'

export const texts = {
  ...provider,
  ...theme,
  'account.contacts': 'Contactos',
  'contacts.add': 'Añadir contacto',
  'contacts.added': 'Contacto añadido: {name}.',
  'contacts.change_one': 'Editar {name}',
  'contacts.change_title': 'Editar “{name}”',
  'contacts.known': 'Esta dirección ya está en tus contactos.',
  'contacts.name_hint': 'Opcional.',
  'contacts.none': 'Aún no hay contactos.',
  'contacts.removed': '{name} ya no está en tus contactos.',
  'contacts.search': 'Buscar contactos',
  'contacts.text': 'Personas a las que envías archivos a menudo. Se sugieren al escribir.',
  'account.shortcuts': 'Atajos de teclado',
  'account.profile': 'Perfil',
  'account.passkeys': 'Llaves de acceso',
  'account.two_step': 'Verificación en dos pasos',
  'account.sessions': 'Sesiones activas',
  'account.tokens': 'Tokens de API',
  'account.delete': 'Eliminar cuenta',
  'account.current_password': 'Contraseña actual',
  'defaults.as_last': 'Como en tu último envío',
  'defaults.start': 'Inicio de la subida',
  'defaults.start_later': 'Al obtener el enlace',
  'defaults.start_now': 'En cuanto se elijan los archivos',
  'defaults.start_service': 'Valor predeterminado de este servicio',
  'defaults.title': 'Valores predeterminados de los envíos nuevos',
  'error.last_factor':
    'Este servicio exige la verificación en dos pasos. Primero añade otra llave de acceso o ' +
    'configura la aplicación.',
  'error.no_second_factor':
    'La verificación en dos pasos ya está desactivada. Vuelve a cargar la página.',
  'error.passkey_known': 'Este dispositivo ya tiene una llave de acceso para tu cuenta.',
  'error.second_factor_enabled':
    'La verificación en dos pasos ya está activada. Vuelve a cargar la página.',
  'error.too_many_passkeys': 'Has alcanzado el límite de llaves de acceso. Elimina una primero.',
  'error.too_many_tokens': 'Has alcanzado el límite de tokens de API. Revoca uno primero.',
  'keys.add': 'Añadir la dirección escrita (destinatarios). La coma y el espacio hacen lo mismo.',
  'keys.turn': 'Archivo anterior o siguiente en la vista previa',
  'keys.list': 'Mostrar esta lista',
  'keys.paste': 'Pegar archivos (Enviar) o varias direcciones a la vez (destinatarios)',
  'keys.switch': 'Atajos de una sola tecla',
  'keys.switch_hint':
    'Si se desactivan, la tecla ? no hace nada. La elección se guarda en este navegador.',
  'profile.display': 'Apariencia',
  'profile.email_taken': 'Otra cuenta usa esta dirección de correo.',
  'profile.language': 'Idioma',
  'profile.this_browser': 'El idioma y el tema se guardan en este navegador.',
  'profile.why_password':
    'Tu contraseña se puede restablecer a través de tu correo electrónico. Confirma el cambio.',
  'passkeys.add': 'Añadir una llave de acceso',
  'passkeys.created': 'añadida el {day}',
  'passkeys.no_browser': 'Este navegador no admite llaves de acceso.',
  'passkeys.none': 'Aún no hay llaves de acceso.',
  'passkeys.remove_text':
    'Ya no servirá para iniciar sesión y se cerrarán las demás sesiones iniciadas con ella. ' +
    'Bórrala también en tu dispositivo.',
  'passkeys.remove_title': '¿Eliminar “{name}”?',
  'passkeys.text':
    'Inicia sesión con la huella, la cara o el bloqueo de pantalla en lugar de la contraseña y ' +
    'un código.',
  'passkeys.unused': 'sin usar',
  'passkeys.used': 'último uso',
  'password.change': 'Cambiar contraseña',
  'password.changed': 'Contraseña cambiada.',
  'password.effect':
    'Una contraseña nueva cierra todas tus demás sesiones y revoca todos tus tokens de API.',
  'password.fair': 'Longitud suficiente. Con unas palabras más será más segura.',
  'password.good': 'Bien: las contraseñas largas son difíciles de adivinar.',
  'password.length': 'Longitud',
  'password.missing': ['{n} carácter más', '{n} caracteres más'],
  'password.new': 'Contraseña nueva',
  'two_step.on': 'Activada',
  'two_step.off': 'Desactivada',
  'two_step.on_text': 'Para iniciar sesión hacen falta tu contraseña y un código de tu aplicación.',
  'two_step.off_text':
    'Con la verificación en dos pasos, no basta con robar una contraseña: para iniciar sesión ' +
    'también hace falta un código de una aplicación.',
  'two_step.left': 'Códigos de recuperación restantes: {n} de 10.',
  'two_step.do.renew': 'Reemplazar códigos de recuperación',
  'two_step.do.renew_text':
    'Recibes diez códigos nuevos. Los actuales dejan de funcionar de inmediato.',
  'two_step.do.renew_title': '¿Reemplazar tus códigos de recuperación?',
  'two_step.required':
    'Este servicio exige la verificación en dos pasos. Si la desactivas, tendrás que volver a ' +
    'configurarla de inmediato.',
  'two_step.set_up': 'Configurar',
  'two_step.do.turn_off': 'Desactivar',
  'two_step.do.turn_off_title': '¿Desactivar la verificación en dos pasos?',
  'two_step.do.turn_off_text':
    'Iniciarás sesión solo con tu contraseña. Se cierran todas tus otras sesiones y se revocan ' +
    'tus tokens de API.',
  'two_step.is_off': 'La verificación en dos pasos está desactivada.',
  'enrol.must': 'Este servicio exige la verificación en dos pasos. Configurarla lleva un minuto.',
  'enrol.scan_title': 'Añade tu cuenta a la aplicación',
  'enrol.scan_text':
    'Escanea este código con una aplicación de autenticación como Aegis, 2FAS o Google ' +
    'Authenticator.',
  'enrol.qr_alt': 'Código QR para tu aplicación de autenticación',
  'enrol.open_app': 'Abrir en una aplicación de este dispositivo',
  'common.step': 'Paso {n} de {all}',
  'enrol.secret': 'O escribe esta clave en la aplicación',
  'enrol.code_title': 'Escribe el código de la aplicación',
  'enrol.code_text':
    'Confirma que la aplicación está bien configurada. Tus otras sesiones se cerrarán.',
  'enrol.six_digits': 'Código de 6 dígitos',
  'enrol.turn_on': 'Activar',
  'codes.title': 'Guarda tus códigos de recuperación',
  'codes.text':
    'Cada código permite iniciar sesión una vez sin la aplicación. No se volverán a mostrar: ' +
    'guárdalos donde puedas acceder a ellos sin tu teléfono.',
  'codes.are_new': 'Tus códigos de recuperación anteriores ya no funcionan.',
  'codes.is_on': 'La verificación en dos pasos está activada.',
  'codes.copy_by_hand': 'Los códigos no se pueden copiar aquí. Descárgalos o imprímelos.',
  'codes.print': 'Imprimir',
  'codes.kept': 'Los he guardado',
  'codes.leave': 'Salir',
  'codes.leave_text':
    'No se volverán a mostrar. Sin ellos, perderás el acceso a tu cuenta si pierdes tu teléfono.',
  'codes.leave_title': '¿Salir sin guardar tus códigos de recuperación?',
  'sessions.text': 'Navegadores y dispositivos con sesión iniciada en tu cuenta.',
  'sessions.current': 'Actual',
  'sessions.device': '{browser} en {system}',
  'sessions.unknown': 'Dispositivo desconocido',
  'sessions.begun': 'inicio de sesión',
  'sessions.seen': 'última actividad',
  'sessions.end': 'Cerrar sesión',
  'sessions.end_one': 'Cerrar sesión: {name}',
  'sessions.end_others': 'Cerrar las demás sesiones',
  'sessions.end_others_hint': 'Los tokens de API siguen funcionando.',
  'sessions.ended': 'Sesión cerrada.',
  'sessions.others_ended': 'Todas las demás sesiones se han cerrado.',
  'tokens.text':
    'Para programas que actúan en tu nombre. Un token no puede cambiar cómo inicias sesión.',
  'tokens.none': 'Aún no hay tokens de API.',
  'tokens.create': 'Crear token',
  'tokens.name_hint': 'Para qué sirve el token, por ejemplo “copia de la oficina”.',
  'tokens.scopes': 'Permisos',
  'tokens.choose': 'Elige al menos un permiso.',
  'tokens.may_read': 'Lectura: ver y descargar tus archivos y envíos',
  'tokens.may_send': 'Envío: subir archivos y crear envíos',
  'tokens.may_manage': 'Gestión: cambiar y eliminar tus envíos, crear solicitudes de archivos',
  'tokens.may_administer':
    'Administración: cuentas, envíos y la mayoría de los ajustes del servicio',
  'tokens.may_metrics': 'Métricas: leer los datos para la supervisión',
  'tokens.is_read': 'lectura',
  'tokens.is_send': 'envío',
  'tokens.is_manage': 'gestión',
  'tokens.is_administer': 'administración',
  'tokens.is_metrics': 'lectura de métricas',
  'tokens.life': 'Validez',
  'tokens.days': ['{n} día', '{n} días'],
  'tokens.made': 'Tu token nuevo',
  'tokens.once': 'No se volverá a mostrar. Guárdalo en un lugar seguro, como una contraseña.',
  'tokens.token': 'Token',
  'tokens.created': 'creado el {day}',
  'tokens.unused': 'sin usar',
  'tokens.end': 'Revocar',
  'tokens.end_one': 'Revocar {name}',
  'tokens.end_title': '¿Revocar “{name}”?',
  'tokens.end_text':
    'Se rechazará a los programas que usen este token y tus tokens de subida quedarán anulados. ' +
    'Esto no se puede deshacer.',
  'delete.text': 'Se eliminarán definitivamente:',
  'delete.shares': 'tus envíos y todos sus archivos; sus enlaces dejan de funcionar de inmediato',
  'delete.contacts': 'tus contactos y preferencias',
  'delete.requests': 'tus solicitudes de archivos y todos los archivos recibidos',
  'delete.logins': 'todas las sesiones y los tokens de API de tu cuenta',
  'delete.log':
    'Tus acciones permanecen en el registro de auditoría mientras el operador lo conserve.',
  'delete.email': 'Para confirmar, escribe {email}',
  'delete.wrong_email': 'Esa no es la dirección de correo de esta cuenta.',
  'delete.action': 'Eliminar mi cuenta',
  'account.providers': 'Inicios de sesión vinculados',
  'error.identity_taken': 'Este inicio de sesión pertenece a otra cuenta.',
  'error.last_sign_in':
    'Ya no podrías iniciar sesión. Define antes una contraseña o añade una llave de acceso.',
  'linked.link': 'Vincular {name}',
  'linked.none': 'Aún no hay inicios de sesión vinculados.',
  'linked.text': 'Inicia sesión con una cuenta que tengas en otro sitio.',
  'linked.unlink': 'Desvincular',
  'linked.unlink_text':
    'Ya no servirá para iniciar sesión, y se cerrarán las demás sesiones que inició.',
  'linked.unlink_title': '¿Desvincular «{name}»?',
} satisfies Same<typeof english>
