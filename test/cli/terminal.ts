// A command at a terminal of 80 columns: python3 opens one, and types the input.
import { spawn, spawnSync } from 'node:child_process'
import { endOf } from '../helpers/child.ts'
import { mainFile } from '../helpers/main-file.ts'

const script = `
import fcntl, json, os, pty, signal, struct, sys, termios
steps = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))
    os.execv(sys.argv[2], sys.argv[2:])
shown, seen = b'', 0
while True:
    try:
        data = os.read(terminal, 4096)
    except OSError:
        break
    if not data:
        break
    shown += data
    if steps and steps[0][0].encode() in shown[seen:]:
        seen = len(shown)
        typed = steps.pop(0)[1]
        if typed.startswith('SIG'):
            os.kill(pid, getattr(signal, typed))
        else:
            os.write(terminal, typed.encode())
code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(json.dumps({'code': code, 'shown': shown.decode(), 'unasked': len(steps)}))
`

export interface Shown {
  readonly code: number
  readonly shown: string
  /** The number of questions that did not come. */
  readonly unasked: number
}

/** Whether this machine can open a terminal for a test; prints when it cannot. */
export function hasTerminal(): boolean {
  if (spawnSync('python3', ['-c', 'import pty, os; os.waitstatus_to_exitcode']).status === 0) {
    return true
  }
  process.stdout.write('skipped: commands at a terminal: python3 is missing\n')
  return false
}

/** @param steps what to wait for, and what to type then; the name of a signal is sent */
export async function atTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  steps: readonly (readonly [question: string, typed: string])[] = [],
): Promise<Shown> {
  const call = ['-c', script, JSON.stringify(steps), process.execPath, mainFile, ...args]
  const { PATH = '' } = process.env
  const child = spawn('python3', call, { env: { PATH, TERM: 'xterm', ...env } })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stderr.pipe(process.stderr)
  await endOf(child)
  return JSON.parse(said) as Shown
}
