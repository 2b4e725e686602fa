// The service as a process: killed while the mail server is down, started again, and then every
// email arrives once, over TLS with a certificate that is checked.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Client } from '../helpers/client.ts'
import { plantSeed } from '../helpers/seed.ts'
import {
  makeBallast,
  makeDataDir,
  removeDataDir,
  ServiceProcess,
} from '../helpers/service-process.ts'
import { until } from '../helpers/until.ts'
import { makeCertificate, type Certificate } from '../email/certificate.ts'
import { startMailServer, useMailServer, type MailServer } from '../email/mail-server.ts'

interface Scene {
  dataDir: string
  certificate: Certificate | null
  services: ServiceProcess[]
  servers: MailServer[]
}

const journey = suite<Scene>('journey: emails survive')
const admin = { email: 'admin@example.org', password: 'correct horse battery' }

journey.before.each(async (scene) => {
  scene.dataDir = makeDataDir()
  makeBallast(scene.dataDir)
  plantSeed(scene.dataDir)
  scene.certificate = makeCertificate()
  scene.services = []
  scene.servers = []
})
journey.after.each(async (scene) => {
  for (const service of scene.services) await service.clear()
  for (const server of scene.servers) await server.stop()
  await removeDataDir(scene.dataDir)
  scene.certificate?.remove()
})

async function signIn(url: string): Promise<Client> {
  const client = new Client(url)
  const answer = await client.post('/api/auth/login', admin)
  assert.is(answer.status, 200)
  client.token = answer.json().token
  return client
}

journey('should deliver once what was queued before a kill', async (scene) => {
  const { certificate } = scene
  if (!certificate) return
  const env = {
    DATA_DIR: scene.dataDir,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    NODE_EXTRA_CA_CERTS: certificate.certFile,
  }
  const start = async () => {
    const service = await ServiceProcess.start(env)
    scene.services.push(service)
    return service
  }
  const listen = async (port = 0) => {
    const server = await startMailServer({ ...certificate.tls, port })
    scene.servers.push(server)
    return server
  }

  const first = await start()
  let client = await signIn(first.url)
  const away = await listen()
  await useMailServer(client, away.port, { smtpSecurity: 'starttls' })
  await client.share({ a: 'a' }, { recipients: 'before@example.org' })
  await until('the first email is there', () => away.received.length === 1)
  assert.ok(away.received[0]!.isEncrypted)
  await away.stop()
  scene.servers.pop()
  const recipients = 'a@example.org, b@example.org'
  await client.share({ b: 'b' }, { recipients })
  const hasFailed = async () =>
    (await client.get('/api/admin/mail?status=queued'))
      .json()
      .mails.some((mail: { last_error: string }) => mail.last_error !== '')
  await until('sending has failed', hasFailed)
  await client.close()
  first.child.kill('SIGKILL')
  await first.ended()

  const back = await listen(away.port)
  const second = await start()
  client = await signIn(second.url)
  const { mails } = (await client.get('/api/admin/mail?status=queued')).json()
  assert.is(mails.length, 2)
  for (const { id } of mails) {
    assert.is((await client.post(`/api/admin/mail/${id}/retry`)).status, 200)
  }
  await until('both emails are there', () => back.received.length >= 2)
  const isEmpty = async () => (await client.get('/api/admin/mail')).json().queued === 0
  await until('the queue is empty', isEmpty)
  assert.equal(back.recipients(), ['a@example.org', 'b@example.org'])
  assert.ok(back.received.every(({ isEncrypted }) => isEncrypted))
  await client.close()
})

journey.run()
