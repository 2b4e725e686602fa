// Answers without a length to clients of HTTP/1.0, for which the end of the connection is the end.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startUnlimited } from '../bytes/send/scene.ts'
import { randomContent } from '../helpers/client.ts'

const broken = suite('answers that are broken off')

const service = await startUnlimited()
const owner = await service.admin()
await owner.configure({ zipCompression: true })

/** Reads the head, waits for a line on its input, and says how the rest ends. Node says `end`. */
const reader = `
import socket, sys
port, path = sys.argv[1:]
connection = socket.create_connection(('127.0.0.1', int(port)))
connection.sendall(('GET ' + path + ' HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n').encode())
data = b''
while b'\\r\\n\\r\\n' not in data: data += connection.recv(1000)
print(data.split(b'\\r\\n\\r\\n')[0].decode('latin1'), flush=True)
sys.stdin.readline()
try:
    while connection.recv(1 << 20): pass
    print('ended')
except ConnectionResetError:
    print('reset')
`

if (spawnSync('python3', ['--version']).status === 0) {
  broken('should end with a reset where neither a length nor chunks show a break', async () => {
    // More than the kernel holds of a connection that is not read.
    const content = randomContent(80 * 1024 * 1024, 'text')
    const shareId = await owner.share({ 'a.txt': content })
    const { port } = new URL(service.url)
    const child = spawn('python3', ['-c', reader, port, `/api/shares/${shareId}/download`])
    let said = ''
    const closed = once(child, 'close')
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    await once(child.stdout, 'data')
    assert.is((await owner.delete(`/api/shares/${shareId}`)).status, 200)
    child.stdin.end('\n')
    await closed
    assert.match(said, / 200 /)
    assert.not.match(said, /content-length|transfer-encoding/i)
    assert.is(said.trimEnd().split('\n').at(-1), 'reset')
  })
} else {
  process.stdout.write('skipped: answers that are broken off: this machine has no python3\n')
}
