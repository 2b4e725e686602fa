import { common } from './common.ts'
import { disk } from './disk.ts'

export const texts = {
  ...common,
  ...disk,
  'setup.account': 'Account',
  'setup.address': 'Name and address',
  'setup.limits': 'Storage and limits',
  'setup.mail': 'E-mail',
  'setup.done': 'Done',
  'setup.account_title': 'Create the administrator’s account',
  'setup.account_text': 'The first account runs this service. More people can be added later.',
  'setup.account_action': 'Create account',
  'setup.password_hint':
    'At least 8 characters; a few words are easy to remember and hard to guess.',
  'setup.token': 'Setup token',
  'setup.token_hint':
    'It is in the log of the service: the part behind “token=” in the line that begins with ' +
    '“setup:”.',
  'setup.no_token': 'This address has no setup token, so anybody could have opened it.',
  'setup.wrong_token':
    'The setup token is not right. Each start of the service makes a new one: take it from ' +
    'the newest line “setup:” of its log.',
  'setup.taken': 'Somebody has set this service up in the meantime. Nothing of yours was stored.',
  'setup.address_title': 'Name and address',
  'setup.app_name': 'Name of this service',
  'setup.app_name_hint': 'It stands on every page and in every mail.',
  'setup.links': 'Links will begin with {address}.',
  'setup.other_address':
    'You opened this page at {here}, but links will begin with {address}. If people cannot ' +
    'reach that, set BASE_URL to the right address and start the service again.',
  'setup.plain_http':
    'This address has no encryption: everybody on the way can read files and passwords. ' +
    'That is all right in a network you trust. Else put a proxy with a certificate before ' +
    'it, and set BASE_URL to its https address.',
  'setup.no_cookie':
    'BASE_URL begins with https, so browsers keep a login at that address alone. You can ' +
    'finish here; then sign in at {address}.',
  'setup.proxy_believed': 'A proxy is before the service, and believed: you come from {ip}.',
  'setup.proxy_ignored':
    'A proxy is before the service, but TRUST_PROXY does not name it. So everybody counts ' +
    'as {ip}: one person who mistypes a password too often locks out all. Set TRUST_PROXY ' +
    'to the address of the proxy, and start the service again.',
  'setup.proxy_silent':
    'TRUST_PROXY is set, but this request came without X-Forwarded-For, from {ip}. If ' +
    'there is a proxy, have it send that header.',
  'setup.limits_title': 'Storage and limits',
  'setup.share_limit': 'Largest share, in GB',
  'setup.quota': 'Space of one account, in GB',
  'setup.unlimited': 'Empty means no limit.',
  'setup.expiry': 'Links end after',
  'setup.expiry_hint': 'Where the sender says nothing. 0 means never.',
  'setup.unit': 'Unit',
  'setup.unit.Hours': 'hours',
  'setup.unit.Days': 'days',
  'setup.unit.Weeks': 'weeks',
  'setup.unit.Months': 'months',
  'setup.mail_title': 'E-mail',
  'setup.mail_text':
    'With a mail server the service sends links, tells of deliveries, and resets passwords. ' +
    'You can set it up later, too.',
  'setup.smtp_host': 'Mail server',
  'setup.smtp_port': 'Port',
  'setup.smtp_security': 'Encryption',
  'setup.security.starttls': 'STARTTLS (port 587)',
  'setup.security.tls': 'TLS (port 465)',
  'setup.security.none': 'None: everybody on the way can read it',
  'setup.smtp_user': 'User name',
  'setup.smtp_user_hint': 'Empty where the server asks for none.',
  'setup.smtp_from': 'Sender',
  'setup.smtp_from_hint': 'Such as files@example.org',
  'setup.test': 'Save and send a test',
  'setup.test_sent': 'A mail to {email} was taken by the server. It said:',
  'setup.test_failed': 'The mail was not taken. What happened:',
  'setup.skip': 'Skip',
  'setup.done_title': 'Your service is ready',
  'setup.done_text':
    'Everything you chose is saved, and can be changed under “Admin”. People get accounts ' +
    'there, too.',
  'setup.first_file': 'Send your first file',
  'setup.sign_in': 'Sign in',
  'setup.closed_title': 'This service is set up',
  'setup.closed_text':
    'It has an administrator already. If you have an account here, sign in. If not, ask ' +
    'whoever runs this service.',
} as const
