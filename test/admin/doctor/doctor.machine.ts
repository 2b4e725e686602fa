import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import path from 'node:path'
import type { SMTPServerOptions } from 'smtp-server'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { okay } from '../../helpers/client.ts'
import { ownPort } from '../../helpers/own-port.ts'
import { startService } from '../../helpers/service.ts'
import { makeCertificate } from '../../email/certificate.ts'
import { refusal, startMailServer, useMailServer } from '../../email/mail-server.ts'

const doctor = suite('doctor: checks of the service')

// Nothing answers there, so the checks of the proxy are fast.
const port = ownPort()
const service = await startService({ env: { BASE_URL: `https://127.0.0.1:${port}` } })
const admin = await service.admin()

async function run(id: string): Promise<any> {
  const answer = await okay(admin.post('/api/admin/check-up', { proxy: 'nginx' }))
  return answer.json().results.find((result: any) => result.id === id)
}

const password = 'right password'
const signIn: SMTPServerOptions = {
  authOptional: false,
  onAuth: (auth, _session, callback) => {
    const isRight = auth.username === 'ann' && auth.password === password
    if (isRight) callback(null, { user: 'ann' })
    else callback(refusal(535, 'Authentication credentials invalid'))
  },
}

doctor('should find a key that every user can read', async () => {
  assert.is((await run('permissions')).level, 'ok')
  const { dataDir } = service.config
  writeFileSync(path.join(dataDir, 'secret.key'), 'a key', { mode: 0o644 })
  const { level, findings } = await run('permissions')
  assert.is(level, 'problem')
  assert.equal(findings[0].mends[0].lines, [`chmod 600 ${dataDir}/secret.key`])
})

doctor('should explain a certificate, with the lines for the proxy', async () => {
  const nothing = await run('address')
  const curl = `curl --verbose --head https://127.0.0.1:${port}/livez`
  assert.equal(nothing.findings[0].mends, [{ place: 'commands', lines: [curl] }])
  const certificate = makeCertificate()
  if (!certificate) return
  certificate.remove()
  const server = createServer(certificate.tls, (_request, response) => response.end())
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { level, findings } = await run('https')
    assert.is(level, 'problem')
    assert.match(findings[0].text, /^The certificate is signed by itself/)
    assert.is(findings[0].value, 'DEPTH_ZERO_SELF_SIGNED_CERT')
    const [mend] = findings[0].mends
    assert.is(mend.place, 'nginx')
    assert.ok(mend.lines.includes('listen 443 ssl;'))
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

doctor('should sign in to the email server, and send nothing', async () => {
  const mail = await startMailServer(signIn)
  await useMailServer(admin, mail.port, { smtpUser: 'ann', smtpPassword: password })
  const right = await run('email')
  assert.is(right.level, 'warning', 'its password is not encrypted')
  assert.match(right.findings[0].text, 'unencrypted')

  await useMailServer(admin, mail.port, { smtpUser: 'ann', smtpPassword: 'wrong password' })
  const wrong = await run('email')
  await mail.stop()
  assert.is(wrong.level, 'problem')
  assert.match(wrong.findings[0].text, 'credentials invalid')
  assert.match(wrong.findings[0].mends[0].lines[0], 'smtpPassword=-')
  assert.not.match(JSON.stringify(wrong), 'wrong password')
  assert.equal(mail.received, [])

  assert.match((await run('email')).findings[0].text, 'ECONNREFUSED')
})

doctor('should find old and missing backups', async () => {
  assert.match((await run('backup')).findings[0].text, 'no backup yet')
  const now = new Date(service.clock.now())
  const old = new Date(now.getTime() - 9 * 86_400_000)
  for (const [finishedAt, level] of [
    [old, 'warning'],
    [now, 'ok'],
  ] as const) {
    await service.database.sql`
      insert into backup_runs (
        id, place, started_at, finished_at, bytes, copied_bytes, files, damaged
      )
      values (gen_random_uuid(), '/backup', ${finishedAt}, ${finishedAt}, 1, 1, 1, 0)`
    assert.is((await run('backup')).level, level)
  }
})
