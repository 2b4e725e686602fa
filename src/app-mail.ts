import type { Audit } from './audit/audit.ts'
import { FailureNotices } from './accounts/notices/failure-notices.ts'
import { Notices } from './accounts/notices/notices.ts'
import type { Config } from './config/load.ts'
import { Mail, type MailParts } from './email/emails.ts'
import type { SmtpServer } from './email/smtp.ts'
import { MailNotifications } from './reverse-shares/delivery-emails.ts'
import type { Settings } from './settings/settings.ts'
import { ShareLetters } from './shares/recipients/recipient-emails.ts'
import type { LinkedShare } from './shares/sql.ts'

/** What mails get from the process they are written in. */
interface MailSurroundings extends Omit<MailParts, 'audit' | 'sealer' | 'server' | 'deployment'> {
  readonly config: Pick<Config, 'baseUrl'>
  readonly keys: MailParts['sealer']
}

/** Everything that writes mails, and the addresses of links in them. */
export function createMailParts(options: MailSurroundings, settings: Settings, audit: Audit) {
  const { config, database, clock, log } = options
  const shownAddresses = () => settings.values.shownAddresses
  const mail = new Mail({
    ...options,
    audit,
    sealer: options.keys,
    server: () => smtpServer(settings),
    deployment: () => settings.values,
  })
  const shareUrl = ({ id, slug }: LinkedShare) => `${config.baseUrl}/s/${slug ?? id}`
  const reverseShareUrl = (reverseId: string) => `${config.baseUrl}/r/${reverseId}`
  return {
    mail,
    shareUrl,
    reverseShareUrl,
    letters: new ShareLetters({ mail, log, shareUrl }),
    notifications: new MailNotifications({
      mail,
      reverseShareUrl,
      deliveryUrl: (reverseId, deliveryId) =>
        `${config.baseUrl}/requests/${reverseId}?delivery=${deliveryId}`,
    }),
    notices: new Notices({ mail, clock, shownAddresses }),
    failureNotices: new FailureNotices({ database, mail, clock, log, shownAddresses }),
  }
}

/** The mail server of the settings; null while its host or our address is missing. */
function smtpServer(settings: Settings): SmtpServer | null {
  const { smtpHost, smtpPort, smtpSecurity, smtpUser, smtpFrom } = settings.values
  if (smtpHost === '' || smtpFrom === '') return null
  return {
    host: smtpHost,
    port: smtpPort,
    security: smtpSecurity,
    user: smtpUser,
    password: settings.secret('smtpPassword'),
    from: smtpFrom,
  }
}
