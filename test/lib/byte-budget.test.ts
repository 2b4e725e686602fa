import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failureOf, until } from '../helpers/until.ts'
import { ByteBudget, type Permit } from '../../src/lib/byte-budget.ts'
import { pluck } from '../helpers/client.ts'
import { transferBy } from '../helpers/transfer.ts'

const mebibyte = 1024 * 1024
/** Ends the waits that tests have left. */
const over = new AbortController()
const by: typeof transferBy = (client, given) =>
  transferBy(client, { signal: over.signal, ...given })
const uploadOptions = {
  bytesMax: 64 * mebibyte,
  shareBytesMin: mebibyte / 4,
  shareBytesMax: 4 * mebibyte,
  permitsPerClientMax: 16,
  permitsPerNetworkMax: 1000,
  permitsKept: 0,
  waitersMax: 2000,
  waitMsMax: 10_000,
}
/** The state of a wait, without waiting for it. */
function watch(entering: Promise<Permit>): {
  state: 'waiting' | 'withPermit' | 'refused'
  permit?: Permit
} {
  const watched: ReturnType<typeof watch> = { state: 'waiting' }
  entering.then(
    (permit) => Object.assign(watched, { state: 'withPermit', permit }),
    () => Object.assign(watched, { state: 'refused' }),
  )
  return watched
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

const budget = suite('ByteBudget')
budget.after(() => over.abort())

budget('should give every client an equal share between the two bounds', async () => {
  const shares: [permits: number, shareBytes: number][] = [
    [1, 4 * mebibyte],
    [16, 4 * mebibyte],
    [17, Math.floor((64 * mebibyte) / 17)],
    [64, mebibyte],
    [256, mebibyte / 4],
  ]
  const transfers = new ByteBudget(uploadOptions)
  const permits: Permit[] = []
  for (const [count, shareBytes] of shares) {
    while (permits.length < count) {
      permits.push(await transfers.enter(by(`client ${permits.length >> 4}`)))
    }
    assert.is(permits[0]?.shareBytes, shareBytes, `with ${count} transfers`)
    assert.ok(count * shareBytes <= uploadOptions.bytesMax)
  }
  for (const permit of permits.slice(16)) permit.leave()
  assert.is(permits[0]?.shareBytes, 4 * mebibyte, 'grows again when others leave')
})

budget('should allow a client 16 permits while others pass it', async () => {
  const transfers = new ByteBudget(uploadOptions)
  const permits: Permit[] = []
  for (let count = 0; count < 16; count += 1) permits.push(await transfers.enter(by('greedy')))
  const seventeenth = watch(transfers.enter(by('greedy')))
  const modest = watch(transfers.enter(by('modest')))
  await settle()
  assert.equal([seventeenth.state, modest.state], ['waiting', 'withPermit'])
  modest.permit?.leave()
  await settle()
  assert.is(seventeenth.state, 'waiting', "another client's permit does not count")
  permits[3]?.leave()
  await settle()
  assert.is(seventeenth.state, 'withPermit')
})

budget('should refuse one of the client that waits most often when too many wait', async () => {
  const transfers = new ByteBudget({ ...uploadOptions, bytesMax: mebibyte / 4, waitersMax: 4 })
  const first = await transfers.enter(by('a'))
  const flood = Array.from({ length: 4 }, () => watch(transfers.enter(by('flood'))))
  const honest = watch(transfers.enter(by('honest')))
  await settle()
  assert.equal(pluck(flood, 'state'), ['waiting', 'waiting', 'waiting', 'refused'])
  first.leave()
  await settle()
  assert.is(flood[0]?.state, 'withPermit')
  flood[0]?.permit?.leave()
  await settle()
  assert.is(honest.state, 'waiting', 'among equals the first')
  flood[1]?.permit?.leave()
  flood[2]?.permit?.leave()
  await settle()
  flood[2]?.permit?.leave()
  await settle()
  assert.is(honest.state, 'withPermit')
})

budget('should never refuse a newcomer whose network has no permit', async () => {
  const transfers = new ByteBudget({ ...uploadOptions, bytesMax: mebibyte / 4, waitersMax: 40 })
  await transfers.enter(by('first'))
  const flood = Array.from({ length: 40 }, (_, n) => watch(transfers.enter(by(`flood ${n % 20}`))))
  const newcomers = [1, 2].map((n) => watch(transfers.enter(by(`newcomer ${n}`))))
  await settle()
  assert.equal(pluck(newcomers, 'state'), ['waiting', 'waiting'])
  assert.is(flood.filter(({ state }) => state === 'refused').length, 2)
  const other = watch(transfers.enter(by('other')))
  await settle()
  assert.is(other.state, 'waiting')
  assert.is(transfers.waiting, 40)
})

budget('should refuse waiters of the network with most permits and waiters', async () => {
  const transfers = new ByteBudget({ ...uploadOptions, bytesMax: mebibyte / 2, waitersMax: 3 })
  const of = (client: string, network: string) => transfers.enter(by(client, { network }))
  await of('a1', 'a')
  await of('a2', 'a')
  const waiting = [watch(of('a3', 'a')), watch(of('b1', 'b')), watch(of('b2', 'b'))]
  const newcomer = watch(of('c', 'c'))
  await settle()
  assert.equal(pluck([...waiting, newcomer], 'state'), ['refused', 'waiting', 'waiting', 'waiting'])
})

budget('should reserve permits for account holders', async () => {
  const options = { ...uploadOptions, bytesMax: mebibyte, permitsKept: 2 }
  const transfers = new ByteBudget(options)
  const guests = [await transfers.enter(by('a')), await transfers.enter(by('b'))]
  const third = watch(transfers.enter(by('c')))
  const owner = watch(transfers.enter(by('d', { isOwner: true })))
  await settle()
  assert.equal([third.state, owner.state], ['waiting', 'withPermit'])
  guests[0]?.leave()
  await settle()
  assert.is(third.state, 'waiting', 'the owner has one of the common permits')
  owner.permit?.leave()
  await settle()
  assert.is(third.state, 'withPermit')
})

budget('should limit the permits of a network', async () => {
  const transfers = new ByteBudget({ ...uploadOptions, permitsPerNetworkMax: 3 })
  const clients = Array.from({ length: 4 }, (_, number) => `client ${number}`)
  const neighbours = clients.map((client) => watch(transfers.enter(by(client, { network: 'n' }))))
  const other = watch(transfers.enter(by('other')))
  await settle()
  const states = pluck([...neighbours, other], 'state')
  assert.equal(states, [...Array(3).fill('withPermit'), 'waiting', 'withPermit'])
})

budget('should serve the client with the fewest permits first', async () => {
  const transfers = new ByteBudget({ ...uploadOptions, bytesMax: mebibyte / 2 })
  const first = await transfers.enter(by('greedy'))
  await transfers.enter(by('greedy'))
  const waiting = ['greedy', 'modest'].map((client) => watch(transfers.enter(by(client))))
  first.leave()
  await settle()
  assert.equal(pluck(waiting, 'state'), ['waiting', 'withPermit'])
})

/** Takes a permit for a transfer of this pace; it leaves when it is ended, which is noted. */
async function take(transfers: ByteBudget, ended: string[], client: string, pace: number | null) {
  const end = () => {
    ended.push(`${client} ${pace}`)
    permit.leave()
  }
  const permit = await transfers.enter(by(client, { pace: () => pace, end }))
}

budget('should end the slowest transfer of a client with more permits', async () => {
  const transfers = new ByteBudget({ ...uploadOptions, bytesMax: mebibyte })
  const ended: string[] = []
  for (const pace of [3000, 1000, null, 2000]) await take(transfers, ended, 'slow', pace)
  const more = watch(transfers.enter(by('slow')))
  await settle()
  assert.equal([ended, more.state], [[], 'waiting'], 'its own client has as many')
  more.state = 'waiting'
  const honest = watch(transfers.enter(by('honest')))
  await until('it has a permit', () => honest.state === 'withPermit')
  assert.equal([ended, more.state], [['slow 1000'], 'waiting'])
})

budget('should spare the only transfer of a client while others have several', async () => {
  const transfers = new ByteBudget({ ...uploadOptions, bytesMax: mebibyte })
  const ended: string[] = []
  await take(transfers, ended, 'phone', 10_000)
  for (let count = 0; count < 3; count += 1) await take(transfers, ended, 'attacker', 17_000)
  const honest = watch(transfers.enter(by('honest')))
  await settle()
  assert.equal(ended, [], 'the attacker is not that slow')
  await until('it has waited long enough', () => honest.state === 'withPermit')
  assert.equal(ended, ['attacker 17000'])
})

budget('should end no transfer that is fast, or whose end would not help', async () => {
  const transfers = new ByteBudget({ ...uploadOptions, bytesMax: mebibyte / 2, waitMsMax: 1_200 })
  await transfers.enter(by('swift'))
  await transfers.enter(by('swift'))
  const error = await failureOf(transfers.enter(by('honest')))
  assert.is(error.code, 'unavailable')
})
