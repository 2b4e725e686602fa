import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/login.ts'
import { basics } from './basics.ts'
import { passkey } from './passkey.ts'
import { provider } from './provider.ts'

export const texts = {
  ...provider,
  ...basics,
  ...passkey,
  'login.action': 'Entrar',
  'login.code': 'Código de 6 dígitos',
  'login.code_title': 'Digite seu código de 6 dígitos',
  'login.forgot': 'Esqueceu a senha?',
  'login.other_account': 'Usar outra conta',
  'login.passkey': 'Entrar com uma chave de acesso',
  'login.passkey_title': 'Confirme com sua chave de acesso',
  'login.recovery_code': 'Código de recuperação',
  'login.recovery_title': 'Digite um código de recuperação',
  'login.remember': 'Manter a sessão aberta',
  'login.remember_hint':
    'Desative em computadores compartilhados para a sessão terminar após 12 horas.',
  'login.title': 'Entrar',
  'login.use_code': 'Usar o código de 6 dígitos',
  'login.use_recovery': 'Usar um código de recuperação',
  'error.account_disabled': 'Esta conta está desativada. Fale com o administrador.',
  'error.account_exists':
    'Sua conta não está vinculada a este provedor. Entre de outra forma e vincule-a em Conta.',
  'error.email_not_verified': 'O provedor não conhece nenhum endereço de e-mail verificado seu.',
  'error.no_account': 'Você não tem conta aqui. Peça uma ao administrador.',
  'error.password_sign_in_off': 'Este serviço não aceita senhas. Use um dos botões abaixo.',
  'login.provider': 'Continuar com {name}',
  'login.sign_up': 'Criar uma conta',
  'error.account_waiting': 'Um administrador precisa aprovar sua conta primeiro.',
} satisfies Same<typeof english>
