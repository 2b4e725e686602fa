import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/reset.ts'

export const texts = {
  'invited.action': 'Definir senha e entrar',
  'invited.text': 'Uma conta foi criada para você. Escolha uma senha para entrar.',
  'invited.title': 'Convite',
  'invited.welcome': 'Boas-vindas, {name}',
  'invited.wrong': 'Este convite não é mais válido. Peça um novo.',
  'reset.again': 'Pedir um novo link',
  'reset.ask': 'Receber link por e-mail',
  'reset.asked':
    'Se houver uma conta com este endereço, um e-mail está a caminho. O link dele vale por uma ' +
    'hora.',
  'reset.done': 'Senha alterada. Todas as outras sessões foram encerradas.',
  'reset.new_password': 'Nova senha',
  'reset.no_mail':
    'Este serviço não envia e-mails. Peça ao operador um link de redefinição de senha.',
  'reset.rule':
    'Pelo menos 8 caracteres. Algumas palavras são fáceis de lembrar e difíceis de adivinhar.',
  'reset.sent': 'Verifique seu e-mail',
  'reset.set': 'Definir senha',
  'reset.set_title': 'Defina uma nova senha',
  'reset.title': 'Esqueceu a senha?',
  'reset.to_login': 'Ir para o login',
  'reset.wrong_link': 'Este link não é mais válido. Peça um novo.',
  'error.wrong_proxy_user': 'Não é possível entrar aqui com esta conta. Fale com a administração.',
  'proxy.action': 'Continuar como {name}',
  'proxy.text': 'Sua sessão na organização está ativa.',
  'signup.action': 'Criar conta',
  'signup.asked': 'Verifique seu e-mail. O link enviado vale por 24 horas.',
  'signup.name': 'Nome',
  'signup.needs_approval': 'Um administrador aprova as novas contas.',
  'signup.signed_in': 'Você já entrou. Saia primeiro para criar outra conta.',
  'signup.to_app': 'Continuar',
  'signup.title': 'Criar uma conta',
  'signup.waits':
    'Um administrador precisa aprovar sua conta. Você receberá um e-mail quando puder entrar.',
  'error.sign_up_off': 'Você não pode criar uma conta aqui. Fale com o administrador.',
  'error.sign_up_used': 'Já existe uma conta com este endereço. Entre.',
  'error.too_many_sign_ups':
    'Há pessoas demais aguardando aprovação. Tente de novo em alguns dias.',
  'error.wrong_sign_up_link': 'Este link não é mais válido. Peça um novo.',
} satisfies Same<typeof english>
