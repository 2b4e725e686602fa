import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClientIp, limiterKey, networkOf } from '../../src/http/client-ip.ts'

const clientIp = suite('client-ip')

type Case = [should: string, trust: string, peer: string, forwardedFor: string | null, ip: string]

// oxfmt-ignore
const cases: Case[] = [
  ['trust the peer of a Unix socket, and no hop before it',
    '', 'unix', '198.51.100.9, 192.0.2.1', '192.0.2.1'],
  ['have no address for the peer of a Unix socket without the header',
    'loopback', 'unix', null, '0.0.0.0'],
  ['name the peer when no proxy is trusted', '', '127.0.0.1', '192.0.2.1', '127.0.0.1'],
  ['ignore the header of a peer that is not trusted',
    '10.0.0.0/8,loopback', '198.51.100.7', '192.0.2.1', '198.51.100.7'],
  ['name the peer when a trusted one sends no header', 'loopback', '127.0.0.1', null, '127.0.0.1'],
  ['use the header of a trusted peer', 'loopback', '::1', '192.0.2.1', '192.0.2.1'],
  ['ignore entries that the client put in front',
    'loopback', '127.0.0.1', '10.9.9.9, 127.0.0.1, 192.0.2.1', '192.0.2.1'],
  ['walk over every trusted hop',
    ' 10.0.0.0/8 , 203.0.113.5 ,', '10.0.0.1', '192.0.2.66,192.0.2.1 ,\t203.0.113.5, 10.0.0.2', '192.0.2.1'],
  ['name the first hop when all are trusted',
    'private', '192.168.1.1', '172.16.0.9, 10.0.0.2', '172.16.0.9'],
  ['not count 172.32.0.0 as private', 'private', '172.32.0.1', '192.0.2.1', '172.32.0.1'],
  ['not count loopback as private', 'private', '127.0.0.1', '192.0.2.1', '127.0.0.1'],
  ['trust by an IPv6 range',
    '2001:db8:8000::/33', '2001:db8:ffff::1', '2001:DB8:0::0001', '2001:db8::1'],
  ['not trust beside an IPv6 range',
    '2001:db8:8000::/33', '2001:db8:7fff::1', '192.0.2.1', '2001:db8:7fff::1'],
  ['not let an IPv6 rule trust IPv4', '::/0', '198.51.100.7', '192.0.2.1', '198.51.100.7'],
  ['read a mapped peer and mapped entries as IPv4',
    '10.0.0.1', '::ffff:10.0.0.1', '::FFFF:c000:0201', '192.0.2.1'],
  ['read a mapped rule as IPv4', '::ffff:10.0.0.0/104', '10.200.0.1', '192.0.2.1', '192.0.2.1'],
  ['remove the zone of a link-local peer', 'private', 'fe80::1%eth0', 'fe80::2%eth1', 'fe80::2'],
  ['read a rule whose host bits are set', '10.1.2.3/8', '10.200.0.1', '192.0.2.1', '192.0.2.1'],
  ['stand in for a peer without an address', 'loopback', '', '192.0.2.1', '0.0.0.0'],
]

for (const [should, trust, peer, forwardedFor, expected] of cases) {
  clientIp(`should ${should}`, () => {
    assert.is(createClientIp(trust)(peer, forwardedFor ?? undefined), expected)
  })
}

// oxfmt-ignore
const entryCases: [entry: string, expected: string | null][] = [
  ['192.0.2.1', '192.0.2.1'], ['192.0.2.1:443', '192.0.2.1'], ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'], ['[2001:db8::1]:443', '2001:db8::1'],
  ['[::ffff:192.0.2.1]:443', '192.0.2.1'], ['', null], ['unknown', null], ['_hidden', null],
  ['192.0.2', null], ['192.0.2.256', null], ['0192.0.2.1', null], ['192.0.2.1/32', null],
  ['192.0.2.1:', null], ['192.0.2.1:x', null], ['[192.0.2.1]', null], ['[2001:db8::1', null],
  ['[2001:db8::1]x', null], ['"192.0.2.1"', null], ['127.0.0.1 127.0.0.1', null],

]

clientIp('should read an entry as an address, or stop there', () => {
  const find = createClientIp('loopback')
  for (const [entry, expected] of entryCases) {
    const ip = find('127.0.0.1', `192.0.2.9, ${entry}, 127.0.0.2`)
    assert.is(ip, expected ?? '127.0.0.2', entry)
  }
})

clientIp('should not walk a header of any length', () => {
  const find = createClientIp('0.0.0.0/0')
  assert.is(find('127.0.0.1', `192.0.2.1${',10.0.0.1'.repeat(2000)}`), '10.0.0.1')
})

// oxfmt-ignore
const wrongRules = [
  'localhost', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/a',
  '2001:db8::/129', '::ffff:10.0.0.0/95', '10.0.0', 'fe80::1%eth0', '*', 'true', 'constructor',

]

clientIp('should name an invalid rule', () => {
  for (const rule of wrongRules) {
    const name = (error: Error) => error.message.includes(`"${rule}"`)
    assert.throws(() => createClientIp(`loopback, ${rule}, 10.0.0.1`), name)
  }
})

// oxfmt-ignore
const keyCases: [ip: string, expected: string][] = [
  ['192.0.2.1', '192.0.2.1'], ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'], ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'], ['2001:db8:1::5:6:7:8', '2001:db8:1:0::/64'],
  ['1::2:3:4:5:6:7', '1:0:2:3::/64'], ['::1', '0:0:0:0::/64'], ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'], ['unknown', 'unknown'],

]

clientIp('should limit an address, or a /64, under one key', () => {
  for (const [ip, expected] of keyCases) assert.is(limiterKey(ip), expected)
})

// oxfmt-ignore
const networkCases: [ip: string, expected: string | null][] = [
  ['192.0.2.7', '192.0.2.0/24'], ['0.0.0.0', '0.0.0.0/24'],
  ['::ffff:203.0.113.255', '203.0.113.0/24'], ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:DB8:1::', '2001:db8:1::/48'], ['2001:db8::1', '2001:db8::/48'],
  ['2001:db8:0:1::1', '2001:db8::/48'], ['2001::1:2:3', '2001::/48'],
  ['fe80:0:7::1%eth0', 'fe80:0:7::/48'], ['::1', '::/48'], ['', null], ['192.0.2', null],
  ['192.0.2.0/24', null], ['example.org', null],

]
clientIp('should know the network of an address', () => {
  for (const [ip, expected] of networkCases) assert.is(networkOf(ip), expected)
})
