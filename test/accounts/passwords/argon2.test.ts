import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Argon2Missing, requireArgon2 } from '../../../src/accounts/passwords/argon2.ts'

const argon2 = suite('passwords: the binary of argon2')

argon2('should be here', () => requireArgon2())

const absent: [platform: NodeJS.Platform, arch: string, message: RegExp][] = [
  ['darwin', 'arm64', /^@node-rs\/argon2-darwin-arm64 is not installed, .*--omit=optional\.$/],
  ['linux', 'arm', /^@node-rs\/argon2-linux-arm-gnueabihf is not installed/],
  ['linux', 'riscv64', /^@node-rs\/argon2 does not run on linux-riscv64, and passwords need it\.$/],
]
for (const [platform, arch, message] of absent) {
  argon2(`should be named where it is missing: ${platform}-${arch}`, () => {
    assert.throws(
      () => requireArgon2(platform, arch),
      (error: Error) => error instanceof Argon2Missing && message.test(error.message),
    )
  })
}

argon2.run()
