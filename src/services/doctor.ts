// Check-ups: the doctor, and the service's side of its requests.
import { Doctor } from '../admin/doctor/doctor.ts'
import { Probe } from '../admin/doctor/probe.ts'
import { findNow } from '../admin/sql.ts'
import { findLastRun } from '../backup/sql.ts'
import { greetServer } from '../email/smtp.ts'
import type { Basis, EmailServices, Surroundings } from './basis.ts'
import type { BlobServices } from './blobs.ts'

export function createDoctor(
  { config, database, clock, publicOptionsFile = null }: Surroundings,
  { clockTrust, settings, tokens }: Basis,
  { emails }: EmailServices,
  { storage, verify }: BlobServices,
) {
  const { baseUrl, trustProxy, dataDir } = config
  const probe = new Probe({
    tokens: {
      sign: (subject, lifeMs) => tokens.sign('check-up', { subject }, lifeMs),
      read: async (token) => (await tokens.read('check-up', token))?.subject ?? null,
    },
    clock,
    trustProxy,
  })
  const doctor = new Doctor({
    clock,
    baseUrl,
    trustProxy,
    dataDir,
    publicOptionsFile,
    chunkBytesMax: () => settings.values.maxChunkSize,
    databaseNow: () => findNow(database.sql),
    clockDoubt: () => clockTrust.look(),
    testDisk: () => storage.writeTest.run(),
    diskSpace: () => storage.space.describe(),
    mailServer: () => emails.server,
    testMailServer: greetServer,
    lastBackup: () => findLastRun(database.sql),
    verifyReport: () => verify.report(),
    makeToken: () => probe.makeToken(),
  })
  return { probe, doctor }
}
