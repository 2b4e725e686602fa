import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/setup.ts'
import { common } from './common.ts'
import { disk } from './disk.ts'

export const texts = {
  ...common,
  ...disk,
  'setup.account_title': 'Crie a conta de administrador',
  'common.step': 'Etapa {n} de {all}',
  'setup.account_text': 'A primeira conta administra este serviço.',
  'setup.account_action': 'Criar conta',
  'setup.password_hint':
    'Pelo menos 8 caracteres. Algumas palavras são fáceis de lembrar e difíceis de adivinhar.',
  'setup.token': 'Token de configuração',
  'setup.token_hint':
    'Está no log do serviço, depois de “token=”, na linha que começa com “setup:”.',
  'setup.no_token':
    'Falta o token de configuração neste endereço. Copie o endereço inteiro do log ou digite o ' +
    'token.',
  'setup.wrong_token':
    'Token de configuração incorreto. Cada início do serviço cria um novo: use a linha “setup:” ' +
    'mais recente do log.',
  'setup.taken':
    'Este serviço foi configurado nesse meio-tempo. Nada do que você digitou foi salvo.',
  'setup.address_title': 'Nome e endereço',
  'setup.app_name': 'Nome do serviço',
  'setup.app_name_hint': 'Aparece em todas as páginas e em todos os e-mails.',
  'setup.other_address':
    'Você abriu esta página em {here}, mas os links começarão com {address}. Se os destinatários ' +
    'não conseguem acessar esse endereço, corrija BASE_URL e reinicie o serviço.',
  'setup.links_begin': 'Os links começam com {address}.',
  'setup.plain_http':
    'Este endereço não usa criptografia: arquivos e senhas podem ser lidos no caminho. Em uma ' +
    'rede na qual você não confia, coloque um proxy HTTPS na frente do serviço e defina BASE_URL ' +
    'como o endereço https dele.',
  'setup.no_cookie':
    'BASE_URL começa com https, por isso os navegadores só mantêm a sessão aberta nesse ' +
    'endereço. Conclua a configuração aqui e depois entre em {address}.',
  'setup.proxy_believed': 'O serviço está atrás de um proxy confiável. Seu endereço é {ip}.',
  'setup.proxy_ignored':
    'O serviço está atrás de um proxy que não consta em TRUST_PROXY. Por isso, todos têm o ' +
    'endereço {ip}, e as senhas incorretas de uma pessoa bloqueiam todas as outras. Defina ' +
    'TRUST_PROXY como o endereço do proxy e reinicie o serviço.',
  'setup.proxy_silent':
    'TRUST_PROXY está definido, mas esta requisição de {ip} não tem o cabeçalho X-Forwarded-For. ' +
    'Se houver um proxy, configure-o para enviar esse cabeçalho.',
  'setup.limits_title': 'Armazenamento e limites',
  'setup.share_limit': 'Maior envio (GB)',
  'setup.quota': 'Cota de armazenamento por conta (GB)',
  'setup.unlimited': 'Deixe em branco para não ter limite.',
  'setup.expiry': 'Links expiram após',
  'setup.expiry_hint':
    'A menos que o remetente escolha outro prazo. Deixe em branco para que nunca expirem.',
  'setup.unit': 'Unidade',
  'setup.unit.Hours': 'horas',
  'setup.unit.Days': 'dias',
  'setup.unit.Weeks': 'semanas',
  'setup.unit.Months': 'meses',
  'setup.mail_title': 'E-mail',
  'setup.mail_text':
    'Com um servidor SMTP, o serviço pode enviar links por e-mail, avisar sobre entregas e ' +
    'redefinir senhas. Você também pode configurá-lo depois.',
  'setup.smtp_host': 'Servidor SMTP',
  'setup.smtp_port': 'Porta',
  'setup.smtp_security': 'Criptografia',
  'setup.security.starttls': 'STARTTLS (porta 587)',
  'setup.security.tls': 'TLS (porta 465)',
  'setup.security.none': 'Nenhuma: e-mails podem ser lidos no caminho',
  'setup.smtp_user': 'Nome de usuário',
  'setup.smtp_user_hint': 'Deixe em branco se o servidor não precisar de um.',
  'setup.smtp_from': 'Endereço do remetente',
  'setup.smtp_from_hint': 'Por exemplo, arquivos@example.org',
  'setup.test': 'Salvar e enviar e-mail de teste',
  'setup.test_sent': 'O servidor aceitou o e-mail para {email}. A resposta dele:',
  'setup.test_failed': 'O e-mail não foi enviado:',
  'setup.skip': 'Pular',
  'setup.done_title': 'Seu serviço está pronto',
  'setup.done_text':
    'Envie um arquivo para ver se tudo funciona. Depois, adicione contas para quem vai usar ' +
    'o serviço.',
  'setup.add_accounts': 'Adicionar contas',
  'setup.first_file': 'Enviar seu primeiro arquivo',
  'setup.sign_in': 'Entrar',
  'setup.closed_title': 'Este serviço já está configurado',
  'setup.closed_text':
    'Se você tem uma conta, entre. Caso contrário, fale com o operador deste serviço.',
} satisfies Same<typeof english>
