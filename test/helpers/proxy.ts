// A real nginx or Caddy before a service, with the configuration of docs/proxy.md or a mistake.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { endOf } from './child.ts'
import { blocksUnder, replaceAll } from './docs.ts'
import { makeFolder } from './folder.ts'
import { until } from './until.ts'

/** Its workers must write bodies to our folder. */
const asRoot = process.getuid?.() === 0 ? 'user root;\n' : ''

export class Proxy {
  readonly #folder = makeFolder()
  readonly #child: ChildProcess

  private constructor(command: string, args: (folder: string) => string[]) {
    const home = this.#folder
    this.#child = spawn(command, args(home), {
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
    })
  }

  /**
   * Speaks plain http on this port of the loopback interface.
   * @param mistake texts of the page's configuration with what a mistaken one has instead
   */
  static nginx(
    port: number,
    upstream: string,
    mistake: Readonly<Record<string, string>> = {},
  ): Promise<Proxy> {
    const page = replaceAll(blocksUnder('proxy', 'nginx')[0]!.text, {
      'listen 443 ssl': `listen 127.0.0.1:${port}`,
      'ssl_certificate /etc/letsencrypt/live/files.example.org/fullchain.pem;': '',
      'ssl_certificate_key /etc/letsencrypt/live/files.example.org/privkey.pem;': '',
      'http://127.0.0.1:8080': upstream,
    })
    return Proxy.nginxWith(port, replaceAll(page, mistake))
  }

  /** @param server a `server` block that listens there */
  static nginxWith(port: number, server: string): Promise<Proxy> {
    return new Proxy('nginx', (folder) => configureNginx(folder, server)).#ready(port)
  }

  /** Passes on one path, as for a site with other applications. */
  static nginxBelowPath(port: number, upstream: string): Promise<Proxy> {
    const { text } = blocksUnder('proxy', 'Use a path of another site').find(
      ({ language }) => language === 'nginx',
    )!
    const locations = replaceAll(text, { 'http://127.0.0.1:8080': upstream })
    return Proxy.nginxWith(port, `server {\nlisten 127.0.0.1:${port};\n${locations}}`)
  }

  static caddy(port: number, upstream: string): Promise<Proxy> {
    const page = replaceAll(blocksUnder('proxy', 'Caddy')[0]!.text, {
      'files.example.org {': `http://127.0.0.1:${port} {\n bind 127.0.0.1`,
      '127.0.0.1:8080': new URL(upstream).host,
    })
    const proxy = new Proxy('caddy', (folder) => {
      const file = path.join(folder, 'Caddyfile')
      writeFileSync(file, `{\n admin off\n}\n${page}`)
      mkdirSync(path.join(folder, 'caddy'))
      return ['run', '--config', file, '--adapter', 'caddyfile']
    })
    return proxy.#ready(port)
  }

  async #ready(port: number): Promise<this> {
    await until('the proxy listens', async () => {
      const socket = connect({ port, host: '127.0.0.1' })
      return new Promise<boolean>((resolve) => {
        socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
      }).finally(() => socket.destroy())
    })
    return this
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null) {
      const closed = endOf(this.#child)
      this.#child.kill('SIGTERM')
      await closed
    }
  }
}

/** The arguments of an nginx that stays in the foreground and keeps its files in the folder. */
function configureNginx(folder: string, server: string): string[] {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`)
  const file = path.join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `${asRoot}worker_processes 1;\npid ${folder}/nginx.pid;\ndaemon off;\nerror_log stderr;\n` +
      `events {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${server}\n}\n`,
  )
  return ['-e', 'stderr', '-c', file]
}
