// One row for every field of part 2, in the answers of every operation with that field: with a
// cookie jar, and with a default Authorization header on every call.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Client } from '../helpers/client.ts'
import { enableSecondFactor } from '../helpers/second-factor.ts'
import { adminEmail, adminPassword, startService, type Service } from '../helpers/service.ts'
import { resources, type Fields } from './contract.ts'
import { assertShape, problemsOf } from './shapes.ts'

interface Style {
  readonly name: string
  /** Called before every call of the journey. */
  readonly prepare: (client: Client, token: string) => void
}

const styles: readonly Style[] = [
  {
    name: 'with a cookie jar',
    prepare: (client) => {
      client.token = null
    },
  },
  {
    name: 'with a default Authorization header',
    prepare: (client, token) => {
      client.cookies.clear()
      client.token = token
    },
  },
]

/** Fields beside the contract's. */
const uploadExtras = ['status', 'progress', 'receiving', 'last_received_at']
const shareExtras = [...uploadExtras, 'preview_count', 'all_received', 'published']
const publicExtras = [...uploadExtras, 'ownerName', 'downloads_left']

for (const style of styles) {
  const fields = suite(`contract: fields ${style.name}`)
  let service: Service
  let client: Client
  let token = 'no-token-yet'

  fields.before(async () => {
    service = await startService({ env: { RATE_LIMIT_LOGIN: 'off' } })
    client = service.client()
  })
  fields.after(async () => {
    await client.close()
    await service.stop()
  })
  fields.before.each(() => style.prepare(client, token))

  const call = async (method: string, path: string, json?: unknown) => {
    style.prepare(client, token)
    const answer = await client.call(method, path, json === undefined ? {} : { json })
    assert.is(answer.status, 200, answer.body.toString())
    return answer
  }

  fields('should return success, token and user from login', async () => {
    const answer = await call('POST', '/api/auth/login', {
      email: adminEmail,
      password: adminPassword,
    })
    assertShape(answer.json(), { success: 'boolean', token: 'string', user: 'User' })
    assert.is(answer.json().success, true)
    assert.is(answer.json().user.email, adminEmail)
    assert.is(answer.json().user.is_admin, true)
    assert.match(answer.json().token, /^[\w-]+\.[\w-]+\.[\w-]+$/)
    token = answer.json().token
  })

  fields('should return only requires2FA and email from login with a second factor', async () => {
    const user = await service.user('second@example.org')
    await user.close()
    const factor = await enableSecondFactor(service, 'second@example.org')
    const guest = service.client()
    const credentials = {
      email: 'second@example.org',
      password: 'password of second@example.org',
    }
    const first = await guest.post('/api/auth/login', credentials)
    assertShape(first.json(), { requires2FA: 'boolean', email: 'string' })
    assert.equal(first.json(), { requires2FA: true, email: 'second@example.org' })
    assert.is(first.headers['set-cookie'], undefined)
    const second = await guest.post('/api/auth/verify-2fa', { ...credentials, code: factor.code() })
    assertShape(second.json(), { token: 'string', user: 'User' }, ['success'])
    await guest.close()
  })

  let shareId = ''

  fields('should return success and shareId from initShare', async () => {
    const input = {
      name: 'Holiday',
      password: '',
      expirationVal: 2,
      expirationUnit: 'Weeks',
      recipients: 'a@example.org, b@example.org',
      message: 'Have a look',
      maxDownloads: 0,
    }
    const answer = (await call('POST', '/api/shares/init', input)).json()
    assertShape(answer, { success: 'boolean', shareId: 'string' }, ['uploadToken', 'shareUrl'])
    assert.is(answer.success, true)
    shareId = answer.shareId
  })

  fields('should return the fields of uploadShareChunk and finalizeShare', async () => {
    const sent = await client.chunk(shareId, 'f1', 0, 'hello')
    assert.is(sent.status, 200, sent.body.toString())
    assertShape(sent.json(), resources.Success)
    assert.is(sent.json().success, true)
    style.prepare(client, token)
    const listed = [{ fileId: 'f1', originalName: 'hello.txt', size: 5, mimeType: 'text/plain' }]
    const answer = (await client.finalize(shareId, listed)).json()
    assertShape(answer, { success: 'boolean', shareUrl: 'string (uri)' })
    assert.equal(answer, { success: true, shareUrl: `http://transfer.test/s/${shareId}` })
  })

  const shareValues: Record<string, unknown> = {
    name: 'Holiday',
    protected: false,
    max_downloads: 0,
    download_count: 0,
    total_size: 5,
  }
  for (const [name, type] of Object.entries(resources.Share)) {
    fields(`should return ${name}, ${type}, in listShares`, async () => {
      const list = (await call('GET', '/api/shares')).json()
      assert.ok(Array.isArray(list), 'the answer is a bare array')
      const share = list.find((entry: { id: string }) => entry.id === shareId)
      const field: Fields = { [name]: type }
      assert.equal(problemsOf({ [name]: share[name] }, field), [])
      if (name in shareValues) assert.is(share[name], shareValues[name])
    })
  }

  fields('should return no other field than the status in listShares', async () => {
    for (const share of (await call('GET', '/api/shares')).json()) {
      assertShape(share, resources.Share, shareExtras)
    }
  })

  const fileValues: Record<string, unknown> = {
    original_name: 'hello.txt',
    size: 5,
    mime_type: 'text/plain',
  }
  for (const [name, type] of Object.entries(resources.ShareFile)) {
    fields(`should return ${name}, ${type}, in the files of a share`, async () => {
      const [share] = (await call('GET', '/api/shares')).json()
      const shown = (await call('GET', `/api/public/shares/${shareId}`)).json()
      const body = { password: '' }
      const verified = (await call('POST', `/api/shares/${shareId}/verify`, body)).json()
      for (const { files } of [share, shown, verified]) {
        assert.is(files.length, 1)
        assert.equal(problemsOf({ [name]: files[0][name] }, { [name]: type }), [])
        assertShape(files[0], resources.ShareFile)
        if (name in fileValues) assert.is(files[0][name], fileValues[name])
      }
    })
  }

  for (const [name, type] of Object.entries(resources.PublicShare)) {
    fields(`should return ${name}, ${type}, in getPublicShare`, async () => {
      const shown = (await call('GET', `/api/public/shares/${shareId}`)).json()
      assert.equal(problemsOf({ [name]: shown[name] }, { [name]: type }), [])
      assertShape(shown, resources.PublicShare, publicExtras)
      assert.equal([shown.name, shown.message, shown.protected], ['Holiday', 'Have a look', false])
    })
  }

  fields('should return valid and files from verifySharePassword', async () => {
    const protectedId = (await call('POST', '/api/shares/init', { password: 'pw' })).json().shareId
    style.prepare(client, token)
    await client.finalize(protectedId, [])
    const path = `/api/shares/${protectedId}/verify`
    const verified = (await call('POST', path, { password: 'pw' })).json()
    const table: Fields = { valid: 'boolean', files: 'array of ShareFile' }
    assertShape(verified, table, ['message', 'accessToken'])
    assert.is(verified.valid, true)
  })

  fields('should return a ZIP from downloadShareZip', async () => {
    const archive = await call('GET', `/api/shares/${shareId}/download`)
    assert.is(archive.headers['content-type'], 'application/zip')
    assert.is(archive.body.readUInt32LE(0), 0x04034b50)
  })

  fields('should return omitted text as "", and null only for a chosen "never"', async () => {
    const bareId = (await call('POST', '/api/shares/init', { expirationVal: 0 })).json().shareId
    style.prepare(client, token)
    await client.finalize(bareId, [])
    const shown = (await call('GET', `/api/public/shares/${bareId}`)).json()
    const { ownerName, ...rest } = shown
    assert.is(ownerName, 'Admin')
    const empty = { name: '', message: '', protected: false, files: [] }
    const upload = { progress: null, receiving: false, last_received_at: null }
    assert.equal(rest, { ...empty, ...upload, status: 'complete', downloads_left: null })
    const list = (await call('GET', '/api/shares')).json()
    const bare = list.find((share: { id: string }) => share.id === bareId)
    assert.equal(problemsOf(bare, resources.Share, shareExtras, ['expires_at']), [])
    assert.is(bare.expires_at, null)
    const others = list.filter((share: { id: string }) => share.id !== bareId)
    assert.ok(others.length > 0)
    for (const share of others) assertShape(share, resources.Share, shareExtras)
  })

  for (const [name, type] of Object.entries(resources.User)) {
    fields(`should return ${name}, ${type}, in listUsers`, async () => {
      const list = (await call('GET', '/api/users')).json()
      assert.ok(Array.isArray(list), 'the answer is a bare array')
      for (const user of list) {
        assert.equal(problemsOf({ [name]: user[name] }, { [name]: type }), [])
        assertShape(user, resources.User, [
          'disabled',
          'second_factor',
          'used_bytes',
          'quota',
          'last_login_at',
          'invited_at',
        ])
      }
    })
  }

  fields('should return an open object from getConfig, and Success from the changes', async () => {
    const settings = (await call('GET', '/api/config')).json()
    assert.ok(typeof settings === 'object' && settings !== null && !Array.isArray(settings))
    assertShape((await call('PUT', '/api/config', settings)).json(), resources.Success, [
      'unknownKeys',
    ])
    const account = { email: 'third@example.org', password: 'long enough', name: 'Third' }
    assertShape((await call('POST', '/api/users', account)).json(), resources.Success)
    const users: { id: number; email: string }[] = (await call('GET', '/api/users')).json()
    const path = `/api/users/${users.find(({ email }) => email === account.email)?.id}`
    assertShape((await call('PUT', path, { name: 'Other' })).json(), resources.Success)
    assertShape((await call('DELETE', path)).json(), resources.Success)
  })

  fields('should return Success from deleteShare and logout', async () => {
    for (const [method, path] of [
      ['DELETE', `/api/shares/${shareId}`],
      ['POST', '/api/auth/logout'],
    ] as const) {
      const answer = await call(method, path)
      assertShape(answer.json(), resources.Success)
      assert.is(answer.json().success, true)
    }
    style.prepare(client, token)
    assert.is((await client.get('/api/shares')).status, 401)
  })

  fields.run()
}
