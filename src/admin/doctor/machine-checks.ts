// The machine and what is around the service: clock, disk, rights, email, backups.
import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import { dayMs } from '../../lib/clock.ts'
import { isSystemError } from '../../lib/errors.ts'
import { succeeds } from '../../lib/shared-work.ts'
import { formatBytes } from '../../lib/sizes.ts'
import { info, ok, problem, warning, type Finding } from './findings.ts'
import type { Scene } from './scene.ts'

const clockMsMax = 5_000
const bytesPerSecondMin = 10_000_000
const backupDaysMax = 7
const verifyDaysMax = 45
const timeSyncFolder = '/run/systemd/timesync'

export async function checkClock({ deps, reach }: Scene): Promise<Finding[]> {
  const findings: Finding[] = []
  const doubt = await deps.clockDoubt()
  if (doubt !== null) {
    const hours = Math.round(doubt.aheadMs / 3_600_000)
    const text = 'The clock has jumped ahead, so clean-ups are paused.'
    const commands = ['transfer clean-up --trust-clock']
    findings.push(...warning(text, `${hours} hours`, { commands }))
  }
  const startedMs = deps.clock.now()
  const databaseMs = (await deps.databaseNow()).getTime()
  const awayMs = databaseMs - (startedMs + deps.clock.now()) / 2
  findings.push(...judgeClock('The clock of the database', awayMs))
  if (reach.isReached) {
    // Its date has whole seconds, and other checks may have taken a minute since.
    const { headers, receivedAt } = reach.reply
    const date = Date.parse(String(headers['date'] ?? ''))
    const answeredMs = Number.isNaN(date) ? 0 : date - receivedAt
    findings.push(...judgeClock('The clock of the machine that answers', answeredMs))
  }
  const sync = await describeSync()
  if (sync === false) {
    const commands = ['timedatectl set-ntp true']
    findings.push(...warning('The clock is not synchronised over the network.', '', { commands }))
  }
  if (findings.length > 0) return findings
  return ok('The clocks agree.', sync === true ? 'synchronised' : undefined)
}

function judgeClock(which: string, awayMs: number): Finding[] {
  if (Math.abs(awayMs) <= clockMsMax) return []
  const seconds = Math.round(awayMs / 1000)
  return warning(`${which} differs from that of this process.`, `${seconds} s`)
}

/** Whether systemd has set the clock; null where it does not do that. */
async function describeSync(): Promise<boolean | null> {
  if (await succeeds(access(path.join(timeSyncFolder, 'synchronized')))) return true
  return (await succeeds(access(timeSyncFolder))) ? false : null
}

export async function checkDiskSpeed({ deps }: Scene): Promise<Finding[]> {
  const result = await deps.testDisk()
  if (!result.isFine) {
    return problem(
      `The storage disk cannot be used: ${result.problem}. Is it mounted, and writable by the ` +
        'user of the service?',
      result.cause || result.problem,
    )
  }
  const { bytesPerSecond, syncMs } = result
  const value = `${formatBytes(bytesPerSecond)}/s, ${syncMs} ms per sync`
  if (bytesPerSecond >= bytesPerSecondMin) return ok('The storage disk is fast enough.', value)
  return warning('The storage disk is slow: it limits all uploads.', value, {
    options: ['STORAGE_DIR=/path/on/another/disk'],
  })
}

export async function checkDiskSpace({ deps }: Scene): Promise<Finding[]> {
  const found = await deps.diskSpace()
  if (!found) return ok('Files are in a bucket: no disk is watched for them.', '')
  const { free, total, floor } = found
  const value = `${formatBytes(free)} of ${formatBytes(total)} free`
  const kept = formatBytes(floor)
  if (free < floor) return problem(`The disk is full: uploads stop below ${kept}.`, value)
  if (free < 2 * floor)
    return warning(`The disk is nearly full: uploads stop below ${kept}.`, value)
  return ok(`Uploads stop below ${kept}.`, value)
}

/** Other users of the machine must not read keys and options. */
export async function checkPermissions({ deps }: Scene): Promise<Finding[]> {
  const { dataDir, publicOptionsFile: optionsFile } = deps
  const places = [
    { name: dataDir, bits: 0o066, mend: `chmod go-rw ${dataDir}` },
    {
      name: path.join(dataDir, 'secret.key'),
      bits: 0o077,
      mend: `chmod 600 ${dataDir}/secret.key`,
    },
    ...(optionsFile === null
      ? []
      : [{ name: optionsFile, bits: 0o007, mend: `chmod o-rwx ${optionsFile}` }]),
  ]
  const findings: Finding[] = []
  for (const { name, bits, mend } of places) {
    const mode = await modeOf(name)
    if (mode === null || (mode & bits) === 0) continue
    const value = mode.toString(8).padStart(4, '0')
    const text = `Other users of the machine have rights to ${name}.`
    findings.push(...problem(text, value, { commands: [mend] }))
  }
  return findings.length > 0 ? findings : ok('Only the service can read its keys.')
}

async function modeOf(name: string): Promise<number | null> {
  try {
    return (await stat(name)).mode & 0o777
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return null
    throw error
  }
}

/** A dialogue up to the sign-in; no email is sent. */
export async function checkEmail({ deps }: Scene): Promise<Finding[]> {
  const server = deps.mailServer()
  if (server === null) {
    const commands = ['transfer settings set smtpHost=smtp.example.org smtpFrom=files@example.org']
    return info('Email is not set up: no invitations and notices.', '', { commands })
  }
  const { host, port, security, user } = server
  const hasPassword = user !== ''
  const value = `${host}:${port}, ${security}`
  const refusal = await deps.testMailServer(server)
  if (refusal !== null) {
    const text = `The email server cannot be used: ${refusal}`
    const keys = hasPassword ? 'smtpUser=… smtpPassword=-' : 'smtpHost=… smtpPort=587'
    return problem(text, value, {
      commands: [`transfer settings set ${keys} smtpSecurity=starttls`],
    })
  }
  if (hasPassword && security === 'none') {
    const commands = ['transfer settings set smtpSecurity=starttls']
    return warning('The password of the email server is sent unencrypted.', value, { commands })
  }
  const how = hasPassword ? 'accepts the sign-in' : 'answers'
  return ok(`The email server ${how}. No email was sent.`, value)
}

export async function checkBackup({ deps }: Scene): Promise<Finding[]> {
  const run = await deps.lastBackup()
  const commands = ['transfer backup /var/backups/transfer-service']
  if (run === null) return warning('There is no backup yet.', '', { commands })
  const days = daysSince(run.finishedAt, deps.clock.now())
  const value = `${days} days ago, ${run.place}`
  if (run.damaged > 0) {
    const verify = ['transfer verify']
    return problem(`The last backup found ${run.damaged} damaged places.`, value, {
      commands: verify,
    })
  }
  if (days > backupDaysMax) return warning('The last backup is old.', value, { commands })
  return ok('There is a recent backup.', value)
}

export async function checkVerify({ deps }: Scene): Promise<Finding[]> {
  const { last } = await deps.verifyReport()
  const commands = ['transfer verify']
  if (!last?.finishedAt) {
    return info('Stored bytes have not been verified yet.', '', { commands })
  }
  const { missing, short, rotten } = last.counts
  const days = daysSince(last.finishedAt, deps.clock.now())
  const value = `${days} days ago`
  const damaged = missing + short + rotten
  if (damaged > 0) {
    return problem(`The last run found ${damaged} damaged places.`, value, { commands })
  }
  if (days > verifyDaysMax) return warning('The last run is old.', value, { commands })
  return ok('The last run found no damage.', value)
}

function daysSince(moment: Date, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - moment.getTime()) / dayMs))
}
