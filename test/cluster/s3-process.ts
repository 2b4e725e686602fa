// The small S3 as a process: prints its address, and ends with its parent.
import { S3Stub } from '../helpers/s3-stub.ts'

const stub = await S3Stub.start()
process.stdout.write(`${stub.endpoint}\n`)
process.stdin.on('close', () => process.exit()).resume()
