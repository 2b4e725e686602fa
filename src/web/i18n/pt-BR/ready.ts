import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/ready.ts'

export const texts = {
  'email.is.dead': 'falhou',
  'email.last': 'Último e-mail:',
  'email.is.queued': 'a caminho',
  'email.resend': 'Enviar de novo',
  'email.resend_to': 'Enviar de novo para {to}',
  'email.is.sent': 'enviado',
  'email.too_soon': 'Aguarde um minuto antes de enviar outro e-mail.',
  'email.waiting': 'recebe o link quando o upload terminar',
  'ready.again': 'Enviar outro',
  'ready.by_email': 'Enviar por e-mail',
  'ready.contacts_add': ['Adicionar {name} aos contatos', 'Adicionar {n} pessoas aos contatos'],
  'ready.contacts_added': ['Contato adicionado.', '{n} contatos adicionados.'],
  'ready.copied': 'Link copiado',
  'ready.copy_link': 'Copiar link',
  'ready.copy_password': 'Copiar senha',
  'ready.expires': 'expira em {day}',
  'ready.first': ['só a primeira pessoa', 'primeiras {n} pessoas'],
  'ready.interrupted': 'O upload foi interrompido. Os destinatários esperam que ele continue.',
  'ready.link': 'Link',
  'ready.mail_full':
    'Nenhum e-mail foi enviado: a fila está cheia. Tente mais tarde ou envie o link por outro ' +
    'meio.',
  'ready.mail_limit':
    'Nenhum e-mail foi enviado: o limite de downloads foi atingido. Aumente-o primeiro.',
  'ready.mail_often': 'Nenhum e-mail foi enviado: o limite por hora foi atingido.',
  'ready.mail_none':
    'Nenhum e-mail foi enviado: o e-mail não está configurado. Envie o link por outro meio.',
  'ready.mail_queued': 'Enviando para {list}',
  'ready.open': 'Ver como destinatário',
  'ready.password_hint': 'Compartilhe a senha separadamente. Ela não será mostrada de novo.',
  'ready.protected': 'com senha',
  'ready.qr': 'Código QR',
  'ready.qr_download': 'Baixar código QR',
  'ready.qr_text': 'Código QR do link',
  'ready.sending_to': ['Enviando para {n} pessoa', 'Enviando para {n} pessoas'],
  'ready.sent_to': ['Enviado para {n} pessoa', 'Enviado para {n} pessoas'],
  'ready.share': 'Compartilhar…',
  'ready.title': 'Seu link está pronto',
  'shared.none': 'Nada chegou. Compartilhe os arquivos de novo ou escolha-os aqui.',
  'shared.text': 'Texto compartilhado.txt',
} satisfies Same<typeof english>
