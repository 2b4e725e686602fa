import { common } from './common.ts'
import { disk } from './disk.ts'

export const texts = {
  ...common,
  ...disk,
  'setup.account_title': 'Create the administrator account',
  'common.step': 'Step {n} of {all}',
  'setup.account_text': 'The first account administers this service.',
  'setup.account_action': 'Create account',
  'setup.password_hint':
    'At least 8 characters. A few words are easy to remember and hard to guess.',
  'setup.token': 'Setup token',
  'setup.token_hint':
    'Find it in the log of the service, after “token=” in the line that begins with “setup:”.',
  'setup.no_token':
    'The setup token is missing from this address. Copy the whole address from the log, or ' +
    'enter the token.',
  'setup.wrong_token':
    'Wrong setup token. Each start of the service creates a new one: use the latest “setup:” ' +
    'line of the log.',
  'setup.taken': 'This service has been set up in the meantime. Nothing you entered was saved.',
  'setup.address_title': 'Name and address',
  'setup.app_name': 'Service name',
  'setup.app_name_hint': 'Shown on every page and in every email.',
  'setup.other_address':
    'You opened this page at {here}, but links will begin with {address}. If recipients ' +
    'cannot reach that address, correct BASE_URL and restart the service.',
  'setup.links_begin': 'Links begin with {address}.',
  'setup.plain_http':
    'This address is not encrypted: files and passwords can be read in transit. On a network ' +
    'you do not trust, put an HTTPS proxy in front and set BASE_URL to its address.',
  'setup.no_cookie':
    'BASE_URL begins with https, so browsers keep you signed in only at that address. Finish ' +
    'the setup here, then sign in at {address}.',
  'setup.proxy_believed': 'The service is behind a trusted proxy. Your address is {ip}.',
  'setup.proxy_ignored':
    'The service is behind a proxy that TRUST_PROXY does not list: everyone has the address ' +
    '{ip}, and one person’s wrong passwords lock out all. Set TRUST_PROXY to its address and ' +
    'restart the service.',
  'setup.proxy_silent':
    'TRUST_PROXY is set, but this request from {ip} has no X-Forwarded-For header. If there is ' +
    'a proxy, have it send one.',
  'setup.limits_title': 'Storage and limits',
  'setup.share_limit': 'Largest share (GB)',
  'setup.quota': 'Storage quota per account (GB)',
  'setup.unlimited': 'Leave blank for no limit.',
  'setup.expiry': 'Links expire after',
  'setup.expiry_hint': 'Unless the sender chooses otherwise. Leave blank for never.',
  'setup.unit': 'Unit',
  'setup.unit.Hours': 'hours',
  'setup.unit.Days': 'days',
  'setup.unit.Weeks': 'weeks',
  'setup.unit.Months': 'months',
  'setup.mail_title': 'Email',
  'setup.mail_text':
    'With an SMTP server, the service can email links, announce deliveries and reset passwords.',
  'setup.smtp_host': 'SMTP server',
  'setup.smtp_port': 'Port',
  'setup.smtp_security': 'Encryption',
  'setup.security.starttls': 'STARTTLS (port 587)',
  'setup.security.tls': 'TLS (port 465)',
  'setup.security.none': 'None: email can be read in transit',
  'setup.smtp_user': 'User name',
  'setup.smtp_user_hint': 'Leave blank if the server needs none.',
  'setup.smtp_from': 'Sender address',
  'setup.smtp_from_hint': 'For example files@example.org',
  'setup.test': 'Save and send test email',
  'setup.test_sent': 'The server accepted the email to {email}. Its answer:',
  'setup.test_failed': 'The email was not sent:',
  'setup.skip': 'Skip',
  'setup.done_title': 'Your service is ready',
  'setup.done_text': 'Send a file to see that everything works. Then add accounts for ' + 'others.',
  'setup.add_accounts': 'Add accounts',
  'setup.first_file': 'Send your first file',
  'setup.sign_in': 'Sign in',
  'setup.closed_title': 'This service is already set up',
  'setup.closed_text':
    'If you have an account, sign in. Otherwise, ask the operator of this service.',
} as const
