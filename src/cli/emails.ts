import { operator } from '../lib/actor.ts'
import { emailsHeldKey } from '../settings/settings.ts'
import type { Report } from './command.ts'
import { withApp } from './open-app.ts'

/** Holds emails, or sends them again. A running service learns of it within 5 seconds. */
export function holdEmails(isHeld: boolean): Promise<Report> {
  return withApp({ bytes: false }, async ({ services }) => {
    await services.settings.update(operator, { [emailsHeldKey]: isHeld ? true : null })
    return {
      json: { emails_held: isHeld },
      text: isHeld ? 'emails are held' : 'emails are sent',
    }
  })
}
