import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/account.ts'
import { provider } from './provider.ts'
import { theme } from './theme.ts'

export const texts = {
  ...provider,
  ...theme,
  'account.contacts': 'Contatos',
  'contacts.add': 'Adicionar contato',
  'contacts.added': 'Contato adicionado: {name}.',
  'contacts.change_one': 'Editar {name}',
  'contacts.change_title': 'Editar “{name}”',
  'contacts.known': 'Este endereço já está nos seus contatos.',
  'contacts.name_hint': 'Opcional.',
  'contacts.none': 'Nenhum contato ainda.',
  'contacts.removed': 'Contato removido: {name}.',
  'contacts.search': 'Buscar contatos',
  'contacts.text':
    'Pessoas para quem você envia arquivos com frequência. Sugeridas enquanto você digita.',
  'account.shortcuts': 'Atalhos de teclado',
  'account.profile': 'Perfil',
  'account.passkeys': 'Chaves de acesso',
  'account.password': 'Senha',
  'account.two_step': 'Verificação em duas etapas',
  'account.sessions': 'Sessões ativas',
  'account.tokens': 'Tokens de API',
  'account.delete': 'Excluir conta',
  'account.current_password': 'Senha atual',
  'defaults.as_last': 'Como no seu último envio',
  'defaults.start': 'Iniciar o upload',
  'defaults.start_hint':
    'Em dispositivos que economizam dados, o upload sempre começa quando você obtém o link.',
  'defaults.start_later': 'Ao obter o link',
  'defaults.start_now': 'Assim que os arquivos forem escolhidos',
  'defaults.start_service': 'Padrão deste serviço',
  'defaults.title': 'Padrões para novos envios',
  'error.last_factor':
    'Este serviço exige a verificação em duas etapas. Primeiro adicione outra chave de acesso ou ' +
    'configure o app.',
  'error.no_second_factor': 'A verificação em duas etapas já está desativada. Recarregue a página.',
  'error.passkey_known': 'Este dispositivo já tem uma chave de acesso para sua conta.',
  'error.second_factor_enabled':
    'A verificação em duas etapas já está ativada. Recarregue a página.',
  'error.too_many_passkeys': 'Você atingiu o limite de chaves de acesso. Remova uma primeiro.',
  'error.too_many_tokens': 'Você atingiu o limite de tokens de API. Revogue um primeiro.',
  'keys.add': 'Adicionar o endereço digitado (destinatários). Vírgula e espaço fazem o mesmo.',
  'keys.close': 'Fechar uma caixa de diálogo ou um menu',
  'keys.turn': 'Arquivo anterior ou seguinte na visualização',
  'keys.list': 'Mostrar esta lista',
  'keys.mend': 'Editar o último endereço quando o campo está vazio (destinatários)',
  'keys.paste': 'Colar arquivos (Enviar) ou vários endereços de uma vez (destinatários)',
  'keys.switch': 'Atalhos de uma só tecla',
  'keys.switch_hint':
    'Quando desativados, a tecla ? não faz nada. A escolha fica salva neste navegador. Esta ' +
    'lista está sempre em Conta.',
  'profile.display': 'Exibição',
  'profile.email_taken': 'Outra conta usa este endereço de e-mail.',
  'profile.language': 'Idioma',
  'profile.this_browser': 'O idioma e o tema são salvos neste navegador.',
  'profile.why_password':
    'Sua senha pode ser redefinida pelo seu endereço de e-mail. Confirme a alteração.',
  'passkeys.add': 'Adicionar chave de acesso',
  'passkeys.created': 'adicionada em {day}',
  'passkeys.no_browser': 'Este navegador não oferece chaves de acesso.',
  'passkeys.none': 'Ainda não há chaves de acesso.',
  'passkeys.remove_text':
    'Ela não fará mais login, e as outras sessões iniciadas com ela serão encerradas. Exclua-a ' +
    'também no seu dispositivo.',
  'passkeys.remove_title': 'Remover “{name}”?',
  'passkeys.text':
    'Entre com a digital, o rosto ou o bloqueio de tela em vez da senha e de um código.',
  'passkeys.unused': 'nunca usada',
  'passkeys.used': 'usada pela última vez',
  'password.change': 'Alterar senha',
  'password.changed': 'Senha alterada.',
  'password.effect':
    'Uma nova senha encerra todas as suas outras sessões e revoga todos os seus tokens de API.',
  'password.fair': 'Longa o suficiente. Com mais algumas palavras, fica mais forte.',
  'password.good': 'Boa: senhas longas são difíceis de adivinhar.',
  'password.length': 'Tamanho',
  'password.missing': ['Falta {n} caractere', 'Faltam {n} caracteres'],
  'password.new': 'Nova senha',
  'two_step.on': 'Ativada',
  'two_step.off': 'Desativada',
  'two_step.on_text': 'Para entrar, são necessários sua senha e um código do seu app.',
  'two_step.off_text':
    'Com a verificação em duas etapas, uma senha roubada não basta: para entrar, também é ' +
    'necessário um código de um app.',
  'two_step.left': 'Você ainda tem {n} de 10 códigos de recuperação.',
  'two_step.do.renew': 'Substituir códigos de recuperação',
  'two_step.do.renew_text':
    'Você recebe dez códigos novos. Os atuais deixam de funcionar imediatamente.',
  'two_step.do.renew_title': 'Substituir seus códigos de recuperação?',
  'two_step.required':
    'Este serviço exige a verificação em duas etapas. Se você a desativar, precisará ' +
    'configurá-la de novo imediatamente.',
  'two_step.set_up': 'Configurar',
  'two_step.do.turn_off': 'Desativar',
  'two_step.do.turn_off_title': 'Desativar a verificação em duas etapas?',
  'two_step.do.turn_off_text':
    'Você passará a entrar só com a senha. Todas as suas outras sessões e todos os seus tokens ' +
    'de API serão encerrados.',
  'two_step.is_off': 'A verificação em duas etapas está desativada.',
  'enrol.must': 'Este serviço exige a verificação em duas etapas. A configuração leva um minuto.',
  'enrol.scan_title': 'Adicione sua conta ao app',
  'enrol.scan_text':
    'Leia este código com um app autenticador, como Aegis, 2FAS ou Google Authenticator.',
  'enrol.qr_alt': 'Código QR para o seu app autenticador',
  'enrol.open_app': 'Abrir em um app deste dispositivo',
  step: 'Etapa {n} de {all}',
  'enrol.secret': 'Ou digite esta chave no app',
  'enrol.code_title': 'Digite o código do app',
  'enrol.code_text':
    'Isso confirma que o app está configurado. Suas outras sessões serão encerradas.',
  'enrol.six_digits': 'Código de 6 dígitos',
  'enrol.turn_on': 'Ativar',
  'codes.title': 'Salve seus códigos de recuperação',
  'codes.text':
    'Cada código permite entrar uma vez, sem o app. Os códigos não serão mostrados de novo: ' +
    'guarde-os onde você possa acessá-los sem o celular.',
  'codes.are_new': 'Seus códigos de recuperação anteriores não funcionam mais.',
  'codes.is_on': 'A verificação em duas etapas está ativada.',
  'codes.copy_by_hand': 'Não é possível copiar os códigos aqui. Baixe-os ou imprima-os.',
  'codes.print': 'Imprimir',
  'codes.kept': 'Salvei os códigos',
  'codes.leave': 'Sair da página',
  'codes.leave_text':
    'Eles não serão mostrados de novo. Sem eles, você perde o acesso se perder o celular.',
  'codes.leave_title': 'Sair sem salvar seus códigos de recuperação?',
  'sessions.text': 'Navegadores e dispositivos com acesso à sua conta.',
  'sessions.current': 'Atual',
  'sessions.device': '{browser} em {system}',
  'sessions.unknown': 'Dispositivo desconhecido',
  'sessions.seen': 'última atividade',
  'sessions.end': 'Encerrar',
  'sessions.end_one': 'Encerrar {name}',
  'sessions.end_others': 'Encerrar todas as outras',
  'sessions.end_others_hint':
    'Também encerra tokens de upload. Os tokens de API continuam funcionando.',
  'sessions.ended': 'Sessão encerrada.',
  'sessions.others_ended': 'Todas as outras sessões foram encerradas.',
  'tokens.text':
    'Para programas que agem em seu nome. Um token não pode alterar a forma como você entra.',
  'tokens.none': 'Nenhum token de API ainda.',
  'tokens.create': 'Criar token',
  'tokens.name_hint': 'Para que serve o token, por exemplo, “backup do escritório”.',
  'tokens.scopes': 'Permissões',
  'tokens.choose': 'Escolha pelo menos uma permissão.',
  'tokens.may_read': 'Ler: ver e baixar seus arquivos e envios',
  'tokens.may_send': 'Enviar: fazer upload de arquivos e criar envios',
  'tokens.may_manage': 'Gerenciar: alterar e excluir seus envios, criar solicitações de arquivos',
  'tokens.may_administer':
    'Administrar: contas, envios e a maioria das configurações deste serviço',
  'tokens.may_metrics': 'Métricas: ler os números para monitoramento',
  'tokens.is_read': 'lê',
  'tokens.is_send': 'envia',
  'tokens.is_manage': 'gerencia',
  'tokens.is_administer': 'administra',
  'tokens.is_metrics': 'lê métricas',
  'tokens.life': 'Validade',
  'tokens.days': ['{n} dia', '{n} dias'],
  'tokens.made': 'Seu novo token',
  'tokens.once': 'Ele não será mostrado de novo. Guarde-o em segurança, como uma senha.',
  'tokens.token': 'Token',
  'tokens.created': 'criado em {day}',
  'tokens.unused': 'nunca usado',
  'tokens.end': 'Revogar',
  'tokens.end_one': 'Revogar {name}',
  'tokens.end_title': 'Revogar “{name}”?',
  'tokens.end_text':
    'Programas que usam este token serão recusados, e seus tokens de upload serão encerrados. ' +
    'Isso não pode ser desfeito.',
  'delete.text': 'Isto exclui permanentemente:',
  'delete.shares':
    'seus envios e todos os arquivos deles; os links deixam de funcionar imediatamente',
  'delete.contacts': 'seus contatos e suas preferências',
  'delete.requests': 'suas solicitações de arquivos e todos os arquivos recebidos nelas',
  'delete.logins': 'todas as sessões e todos os tokens de API da sua conta',
  'delete.log': 'Suas ações permanecem no registro de auditoria enquanto o operador o mantiver.',
  'delete.email': 'Para confirmar, digite {email}',
  'delete.wrong_email': 'Esse não é o endereço de e-mail desta conta.',
  'delete.action': 'Excluir minha conta',
  'account.providers': 'Logins vinculados',
  'error.identity_taken': 'Este login pertence a outra conta.',
  'error.last_sign_in':
    'Você não poderia mais entrar. Defina antes uma senha ou adicione uma chave de acesso.',
  'linked.link': 'Vincular {name}',
  'linked.none': 'Ainda não há logins vinculados.',
  'linked.text': 'Entre com uma conta que você tem em outro lugar.',
  'linked.unlink': 'Desvincular',
  'linked.unlink_text':
    'Ele não poderá mais ser usado para entrar, e as outras sessões que iniciou terminam.',
  'linked.unlink_title': 'Desvincular “{name}”?',
} satisfies Same<typeof english>
