// An authenticator in software (WebAuthn level 3) with the browser in front of it, written from the
// specification with its own CBOR: an oracle of the library in src.
import { createHash, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto'

type Cbor = number | string | Buffer | Map<Cbor, Cbor>

/** Only what authenticators write: definite lengths (RFC 8949, section 3). */
function encode(value: Cbor): Buffer {
  if (typeof value === 'number') {
    return value < 0 ? head(1, -1 - value) : head(0, value)
  }
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(encode)])
}

function head(major: number, length: number): Buffer {
  const type = major << 5
  if (length < 24) return Buffer.from([type | length])
  if (length < 256) return Buffer.from([type | 24, length])
  return Buffer.from([type | 25, length >> 8, length & 255])
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const base64url = (data: Buffer | string) => Buffer.from(data).toString('base64url')

/** What differs from a well-behaved browser and authenticator. */
export interface Misbehaviour {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly crossOrigin?: boolean
  readonly userHandle?: string | undefined
  readonly isVerified?: boolean
  readonly counter?: number
  readonly format?: string
  readonly key?: KeyObject
}

export class Authenticator {
  readonly id = base64url(sha256(randomUUID()))
  /** What it counts with every signature; stays 0 in those that count none. */
  counter: number
  readonly #origin: string
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #userHandle = 'AAAA'

  constructor(origin: string, { counts = true } = {}) {
    this.#origin = origin
    this.counter = counts ? 1 : 0
  }

  /** `RegistrationResponseJSON` */
  create(options: any, wrong: Misbehaviour = {}) {
    this.#userHandle = options.user.id
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    const publicKey = new Map<Cbor, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x!, 'base64url')],
      [-3, Buffer.from(y!, 'base64url')],
    ])
    const id = Buffer.from(this.id, 'base64url')
    const authData = Buffer.concat([
      this.#data(options.rp.id, 0x40, wrong),
      Buffer.alloc(16),
      Buffer.from([id.length >> 8, id.length & 255]),
      id,
      encode(publicKey),
    ])
    const attestation = new Map<Cbor, Cbor>([
      ['fmt', wrong.format ?? 'none'],
      ['attStmt', new Map<Cbor, Cbor>(wrong.format ? [['x5c', Buffer.alloc(100)]] : [])],
      ['authData', authData],
    ])
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, wrong),
      attestationObject: base64url(encode(attestation)),
      transports: ['internal'],
    })
  }

  /** `AuthenticationResponseJSON` */
  get(options: any, wrong: Misbehaviour = {}) {
    if (this.counter > 0) this.counter += 1
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, wrong)
    const data = this.#data(options.rpId, 0, wrong)
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    return this.#answer({
      clientDataJSON,
      authenticatorData: base64url(data),
      signature: base64url(sign('sha256', signed, wrong.key ?? this.#keys.privateKey)),
      userHandle: 'userHandle' in wrong ? wrong.userHandle : this.#userHandle,
    })
  }

  #answer<Response extends object>(response: Response) {
    const { id } = this
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
  }

  #clientData(type: string, challenge: string, wrong: Misbehaviour): string {
    const { origin = this.#origin, crossOrigin = false } = wrong
    const data = {
      type: wrong.type ?? type,
      challenge: wrong.challenge ?? challenge,
      origin,
      crossOrigin,
    }
    return base64url(JSON.stringify(data))
  }

  #data(rpId: string, flags: number, wrong: Misbehaviour): Buffer {
    const data = Buffer.alloc(37)
    sha256(wrong.rpId ?? rpId).copy(data)
    data.writeUInt8(flags | 0x01 | (wrong.isVerified === false ? 0 : 0x04), 32)
    data.writeUInt32BE(wrong.counter ?? this.counter, 33)
    return data
  }
}
