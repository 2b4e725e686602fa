// What the secret seals, for its rotation.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sealedKinds } from '../../../src/accounts/sign-in/sealed-sql.ts'
import { okay } from '../../helpers/client.ts'
import { startService } from '../../helpers/service.ts'

const sealed = suite('sign-in: sealed values')
const service = await startService()

sealed('should be no custom settings that look alike', async () => {
  const json = { smtpPassword: 'pass word', note: { sealed: 'by hand!' } }
  await okay((await service.admin()).put('/api/config', json))
  const keys: string[] = []
  for (const kind of sealedKinds) {
    const rows = await kind.list(service.database.sql, '', 10)
    keys.push(...rows.map(({ key }) => key))
  }
  assert.equal(keys, ['smtpPassword'])
})
