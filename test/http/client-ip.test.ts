import { isIP } from 'node:net'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClientIp, limiterKey, networkOf } from '../../src/http/client-ip.ts'

const clientIp = suite('client-ip')

interface Case {
  should: string
  trust: string
  peer: string
  forwardedFor?: string
  expected: string
}

const cases: Case[] = [
  {
    should: 'trust the peer of a Unix socket, and no hop before it',
    trust: '',
    peer: 'unix',
    forwardedFor: '198.51.100.9, 192.0.2.1',
    expected: '192.0.2.1',
  },
  {
    should: 'have no address for the peer of a Unix socket without the header',
    trust: 'loopback',
    peer: 'unix',
    expected: '0.0.0.0',
  },
  {
    should: 'name the peer when no proxy is trusted',
    trust: '',
    peer: '127.0.0.1',
    forwardedFor: '192.0.2.1',
    expected: '127.0.0.1',
  },
  {
    should: 'ignore the header of a peer that is not trusted',
    trust: '10.0.0.0/8,loopback',
    peer: '198.51.100.7',
    forwardedFor: '192.0.2.1',
    expected: '198.51.100.7',
  },
  {
    should: 'name the peer when a trusted one sends no header',
    trust: 'loopback',
    peer: '127.0.0.1',
    expected: '127.0.0.1',
  },
  {
    should: 'use the header of a trusted peer',
    trust: 'loopback',
    peer: '::1',
    forwardedFor: '192.0.2.1',
    expected: '192.0.2.1',
  },
  {
    should: 'ignore entries that the client put in front',
    trust: 'loopback',
    peer: '127.0.0.1',
    forwardedFor: '10.9.9.9, 127.0.0.1, 192.0.2.1',
    expected: '192.0.2.1',
  },
  {
    should: 'walk over every trusted hop',
    trust: ' 10.0.0.0/8 , 203.0.113.5 ,',
    peer: '10.0.0.1',
    forwardedFor: '192.0.2.66,192.0.2.1 ,\t203.0.113.5, 10.0.0.2',
    expected: '192.0.2.1',
  },
  {
    should: 'name the first hop when all are trusted',
    trust: 'private',
    peer: '192.168.1.1',
    forwardedFor: '172.16.0.9, 10.0.0.2',
    expected: '172.16.0.9',
  },
  {
    should: 'not count 172.32.0.0 as private',
    trust: 'private',
    peer: '172.32.0.1',
    forwardedFor: '192.0.2.1',
    expected: '172.32.0.1',
  },
  {
    should: 'not count loopback as private',
    trust: 'private',
    peer: '127.0.0.1',
    forwardedFor: '192.0.2.1',
    expected: '127.0.0.1',
  },
  {
    should: 'trust by an IPv6 range',
    trust: '2001:db8:8000::/33',
    peer: '2001:db8:ffff::1',
    forwardedFor: '2001:DB8:0::0001',
    expected: '2001:db8::1',
  },
  {
    should: 'not trust beside an IPv6 range',
    trust: '2001:db8:8000::/33',
    peer: '2001:db8:7fff::1',
    forwardedFor: '192.0.2.1',
    expected: '2001:db8:7fff::1',
  },
  {
    should: 'not let an IPv6 rule trust IPv4',
    trust: '::/0',
    peer: '198.51.100.7',
    forwardedFor: '192.0.2.1',
    expected: '198.51.100.7',
  },
  {
    should: 'read a mapped peer and mapped entries as IPv4',
    trust: '10.0.0.1',
    peer: '::ffff:10.0.0.1',
    forwardedFor: '::FFFF:c000:0201',
    expected: '192.0.2.1',
  },
  {
    should: 'read a mapped rule as IPv4',
    trust: '::ffff:10.0.0.0/104',
    peer: '10.200.0.1',
    forwardedFor: '192.0.2.1',
    expected: '192.0.2.1',
  },
  {
    should: 'remove the zone of a link-local peer',
    trust: 'private',
    peer: 'fe80::1%eth0',
    forwardedFor: 'fe80::2%eth1',
    expected: 'fe80::2',
  },
  {
    should: 'read a rule whose host bits are set',
    trust: '10.1.2.3/8',
    peer: '10.200.0.1',
    forwardedFor: '192.0.2.1',
    expected: '192.0.2.1',
  },
  {
    should: 'stand in for a peer without an address',
    trust: 'loopback',
    peer: '',
    forwardedFor: '192.0.2.1',
    expected: '0.0.0.0',
  },
]

for (const { should, trust, peer, forwardedFor, expected } of cases) {
  clientIp(`should ${should}`, () => {
    assert.is(createClientIp(trust)(peer, forwardedFor), expected)
  })
}

const entryCases: [entry: string, expected: string | null][] = [
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:443', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
  ['', null],
  ['unknown', null],
  ['_hidden', null],
  ['192.0.2', null],
  ['192.0.2.256', null],
  ['0192.0.2.1', null],
  ['192.0.2.1/32', null],
  ['192.0.2.1:', null],
  ['192.0.2.1:x', null],
  ['[192.0.2.1]', null],
  ['[2001:db8::1', null],
  ['[2001:db8::1]x', null],
  ['"192.0.2.1"', null],
  ['127.0.0.1 127.0.0.1', null],
]

for (const [entry, expected] of entryCases) {
  const result = expected ?? 'no address, and stop there'
  clientIp(`should read the entry ${JSON.stringify(entry)} as ${result}`, () => {
    const find = createClientIp('loopback')
    assert.is(find('127.0.0.1', `192.0.2.9, ${entry}, 127.0.0.2`), expected ?? '127.0.0.2')
  })
}

clientIp('should not walk a header of any length', () => {
  const find = createClientIp('0.0.0.0/0')
  assert.is(find('127.0.0.1', `192.0.2.1${',10.0.0.1'.repeat(2000)}`), '10.0.0.1')
})

clientIp('should return an address for any header', () => {
  const find = createClientIp('loopback,private')
  const entry = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constant('10.0.0.1'))
  fc.assert(
    fc.property(fc.string(), fc.array(entry), (peer, entries) => {
      assert.ok(isIP(find(peer, entries.join(','))) > 0)
      assert.ok(isIP(find('127.0.0.1', entries.join(','))) > 0)
    }),
  )
})

const wrongRules = [
  'localhost',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0.0/a',
  '2001:db8::/129',
  '::ffff:10.0.0.0/95',
  '10.0.0',
  'fe80::1%eth0',
  '*',
  'true',
  'constructor',
]

for (const rule of wrongRules) {
  clientIp(`should name an invalid rule: ${rule}`, () => {
    assert.throws(
      () => createClientIp(`loopback, ${rule}, 10.0.0.1`),
      (error: Error) => error.message.includes(`"${rule}"`),
    )
  })
}

const keyCases: [ip: string, expected: string][] = [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1::5:6:7:8', '2001:db8:1:0::/64'],
  ['1::2:3:4:5:6:7', '1:0:2:3::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
]

for (const [ip, expected] of keyCases) {
  clientIp(`should limit ${ip} under ${expected}`, () => {
    assert.is(limiterKey(ip), expected)
  })
}

clientIp('should limit all of a /64 under one key, and its neighbours under others', () => {
  const group = fc.nat({ max: 0xffff }).map((number) => number.toString(16))
  const four = fc.tuple(group, group, group, group).map((groups) => groups.join(':'))
  fc.assert(
    fc.property(four, four, four, four, (network, other, host, otherHost) => {
      fc.pre(!network.startsWith('0:') && !other.startsWith('0:'))
      assert.is(limiterKey(`${network}:${host}`), limiterKey(`${network}:${otherHost}`))
      const areSame = limiterKey(`${network}:${host}`) === limiterKey(`${other}:${host}`)
      assert.is(areSame, network === other)
    }),
  )
})

const networkCases: [ip: string, expected: string | null][] = [
  ['192.0.2.7', '192.0.2.0/24'],
  ['0.0.0.0', '0.0.0.0/24'],
  ['::ffff:203.0.113.255', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:DB8:1::', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8::/48'],
  ['2001:db8:0:1::1', '2001:db8::/48'],
  ['2001::1:2:3', '2001::/48'],
  ['fe80:0:7::1%eth0', 'fe80:0:7::/48'],
  ['::1', '::/48'],
  ['', null],
  ['192.0.2', null],
  ['192.0.2.0/24', null],
  ['example.org', null],
]
for (const [ip, expected] of networkCases) {
  clientIp(`should return ${expected} as the network of "${ip}"`, () => {
    assert.is(networkOf(ip), expected)
  })
}

clientIp.run()
