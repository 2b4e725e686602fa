import type { Audit } from './audit/audit.ts'
import { FailureNotices } from './accounts/notices/failure-notices.ts'
import { Notices } from './accounts/notices/notices.ts'
import type { Config } from './config/load.ts'
import { Emails, type EmailsDeps } from './email/emails.ts'
import type { SmtpServer } from './email/smtp.ts'
import { DeliveryEmails } from './reverse-shares/delivery-emails.ts'
import type { Settings } from './settings/settings.ts'
import { RecipientEmails } from './shares/recipients/recipient-emails.ts'
import type { LinkedShare } from './shares/sql.ts'

/** What emails get from the process they are written in. */
interface EmailSurroundings extends Omit<EmailsDeps, 'audit' | 'sealer' | 'server' | 'deployment'> {
  readonly config: Pick<Config, 'baseUrl'>
  readonly keys: EmailsDeps['sealer']
}

/** Everything that writes emails, and the addresses of links in them. */
export function createEmailServices(options: EmailSurroundings, settings: Settings, audit: Audit) {
  const { config, database, clock, log } = options
  const shownAddresses = () => settings.values.shownAddresses
  const emails = new Emails({
    ...options,
    audit,
    sealer: options.keys,
    server: () => smtpServer(settings),
    deployment: () => settings.values,
  })
  const shareUrl = ({ id, slug }: LinkedShare) => `${config.baseUrl}/s/${slug ?? id}`
  const reverseShareUrl = (reverseId: string) => `${config.baseUrl}/r/${reverseId}`
  return {
    emails,
    shareUrl,
    reverseShareUrl,
    recipientEmails: new RecipientEmails({ emails, log, shareUrl }),
    deliveryEmails: new DeliveryEmails({
      emails,
      reverseShareUrl,
      deliveryUrl: (reverseId, deliveryId) =>
        `${config.baseUrl}/requests/${reverseId}?delivery=${deliveryId}`,
    }),
    notices: new Notices({ emails, clock, shownAddresses }),
    failureNotices: new FailureNotices({ database, emails, clock, log, shownAddresses }),
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
