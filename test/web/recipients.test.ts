import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findAddresses } from '../../src/email/addresses.ts'
import { isAddress, readRecipients, writeRecipients } from '../../src/web/lib/recipients.ts'

const recipients = suite('web: recipients in a text')

for (const [text, written] of [
  [' , ; ', ''],
  ['a@b.org, c@d.org;e@f.org\ng@h.org', 'a@b.org, c@d.org, e@f.org, g@h.org'],
  ['Ann <ann@example.org>', 'Ann <ann@example.org>'],
  ['"Lee, Ann" <ann@example.org>; bob@example.org', 'Lee Ann <ann@example.org>, bob@example.org'],
  ['boss@bank.org <ann@example.org>', 'boss@bank.org <ann@example.org>'],
  ['mailto:ann@example.org', 'ann@example.org'],
  ['Ann@Example.org, ann@example.org', 'Ann@Example.org'],
  ['Grandma, ann@example.org, 0171 234', 'Grandma, ann@example.org, 0171 234'],
  ["'o'neil@example.org'", "o'neil@example.org"],
  ['anna@müller.example, Anna@xn--mller-kva.example', 'anna@müller.example'],
] as const) {
  recipients(`should find in ${JSON.stringify(text)}: ${written || 'no address'}`, () => {
    const found = readRecipients(text)
    assert.is(writeRecipients(found), written)
    assert.equal(readRecipients(writeRecipients(found)), found)
  })
}

recipients('should recognize addresses', () => {
  const known = (email: string) => isAddress({ email, name: '' })
  const right = "ann@example.org o'neil+x@mail.example.org Root@localhost anna@müller.example"
  for (const email of [...right.split(' '), 'ivan@почта.рф']) assert.ok(known(email), email)
  const wrong = 'ann ann@ @example.org ann@ex..org ann@-x.org änn@x.org ann@mül%41er.org ann@.ü'
  const more = ['a b@x.org', `${'x'.repeat(250)}@x.org`]
  for (const email of [...wrong.split(' '), ...more]) assert.not(known(email), email)
})

recipients('should match the parser of the service for any input', () => {
  const parts = ['ann@example.org', 'bob@x.de', 'Eve', ...' ;<>"\n@\''.split(''), ', ']
  const texts = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((all) => all.join(''))
  fc.assert(
    fc.property(texts, (text) => {
      const found = readRecipients(text)
      const written = writeRecipients(found)
      // What is shown is what is stored, and recipients shown as valid get an email.
      assert.equal(readRecipients(written), found)
      const right = found.filter(isAddress).map(({ email }) => email.toLowerCase())
      const mailed = findAddresses(written).addresses.map((email) => email.toLowerCase())
      assert.equal(mailed, right)
    }),
    { numRuns: 2000 },
  )
})
