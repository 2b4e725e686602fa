import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/app.ts'
import { common } from './common.ts'
import { passkey } from './passkey.ts'
import { send } from './send.ts'
import { states } from './states.ts'
import { uploadTotal } from './upload-total.ts'
import { upload } from './upload.ts'

export const texts = {
  ...common,
  ...passkey,
  ...send,
  ...states,
  ...upload,
  ...uploadTotal,
  'error.already_complete': 'Este upload já foi concluído. Recarregue a página para vê-lo.',
  'error.confirmation_required': 'Nada foi alterado: antes, confirme que é você.',
  'error.last_administrator': 'O serviço precisa de pelo menos um administrador.',
  'error.too_many_contacts':
    'Sua lista de contatos está cheia. Remova um contato para adicionar outro.',
  'error.wrong_current_password': 'A senha atual está incorreta.',
  'error.wrong_second_factor': 'Este código está incorreto ou já foi usado.',
  'links.local': 'Os links começam com {base} e levam cada pessoa ao próprio computador.',
  'links.local_advice':
    'Defina BASE_URL com o endereço que as pessoas abrem, como {address}, e reinicie o serviço.',
  'common.more': 'Mostrar mais',
  'nav.account': 'Conta',
  'nav.account_settings': 'Configurações da conta',
  'nav.admin': 'Admin',
  'nav.main': 'Menu principal',
  'nav.new': 'a conferir',
  'nav.requests': 'Solicitações',
  'nav.send': 'Enviar',
  'nav.shares': 'Envios',
  'nav.sign_out': 'Sair',
  'no_mail.text': 'O e-mail está desativado: nenhum servidor de e-mail está configurado.',
  'no_mail.action': 'Configurar e-mail',
  'missing.title': 'Página não encontrada',
  'missing.text': 'O endereço pode estar errado, ou a página pode ter sido excluída.',
  'common.unopened': 'Não foi possível abrir esta página',
  'confirm.title': 'Confirme que é você',
  'confirm.text': 'Não será pedido de novo por 10 minutos.',
  'confirm.either': 'Basta sua senha ou um código.',
  'confirm.action': 'Confirmar',
  'session.title': 'Entre novamente',
  'session.text': 'Sua sessão terminou. Entre para continuar de onde parou.',
  'session.sign_in': 'Entrar',
  'session.code': 'Código de 6 dígitos ou de recuperação',
  'common.just_now': 'agora mesmo',
  'session.other_way': 'Entrar de outra forma',
} satisfies Same<typeof english>
