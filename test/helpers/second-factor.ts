import { createHmac, randomBytes } from 'node:crypto'
import { hashToken } from '../../src/lib/random-id.ts'
import type { Service } from './service.ts'

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const stepMs = 30_000

export interface EnabledSecondFactor {
  /** The code an app shows `steps` steps of 30 s from now; negative: before. */
  code(steps?: number): string
  readonly recoveryCodes: readonly string[]
}

/** Gives an account a second factor by its rows, like enrolment. */
export async function enableSecondFactor(
  service: Service,
  email: string,
): Promise<EnabledSecondFactor> {
  const { sql } = service.database
  const secret = Array.from(randomBytes(32), (byte) => base32[byte % 32]).join('')
  const recoveryCodes = ['abcd-efgh-2345', 'mnop-qrst-6789']
  const sealed = service.keys.seal(secret)
  const now = new Date(service.clock.now())
  const [row] = await sql<{ userId: number }[]>`
    insert into second_factors (user_id, secret_sealed, enabled_at, created_at)
    select id, ${sealed}, ${now}, ${now} from users where email = ${email}
    returning user_id`
  if (!row) throw new Error(`no account ${email}`)
  for (const code of recoveryCodes) {
    const codeHash = hashToken(code.replaceAll('-', ''))
    await sql`insert into recovery_codes (user_id, code_hash) values (${row.userId}, ${codeHash})`
  }
  return {
    code: (steps) => codeAt(secret, service.clock.now(), steps),
    recoveryCodes,
  }
}

/**
 * The code that an app with this secret shows `steps` steps of 30 s from a time: RFC 6238 with SHA-1
 * and six digits, written from the RFC, as the oracle of the library in src.
 */
export function codeAt(secret: string, nowMs: number, steps = 0): string {
  const places = Array.from(secret.replaceAll(/[\s=]/g, ''), (sign) => base32.indexOf(sign))
  const bits = places.map((place) => place.toString(2).padStart(5, '0')).join('')
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / stepMs) + steps))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  const code = (digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000
  return String(code).padStart(6, '0')
}
