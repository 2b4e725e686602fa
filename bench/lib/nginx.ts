import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Child, fixedPort } from './child.ts'
import { PutTarget } from './put-target.ts'
import type { ServerSetting, Target } from './target.ts'

interface Nginx {
  readonly file: string
  readonly version: string
}

/** @throws Error with what to do if nginx or its dav module is missing */
export function findNginx(): Nginx {
  for (const file of ['nginx', '/usr/sbin/nginx']) {
    const { status, stderr } = spawnSync(file, ['-V'], { encoding: 'utf8' })
    if (status !== 0) continue
    if (!stderr.includes('--with-http_dav_module')) throw new Error(`${file} has no dav module`)
    return { file, version: /nginx\/([\d.]+)/.exec(stderr)?.[1] ?? '?' }
  }
  throw new Error("nginx is missing: install Debian's nginx-light")
}

/** Starts nginx with a folder that takes PUT and DELETE, and one worker per core. */
export async function startNginx(setting: ServerSetting): Promise<Target> {
  const { folder, payload, env, limit } = setting
  const { file, version } = findNginx()
  mkdirSync(path.join(folder, 'files'), { recursive: true })
  const configFile = path.join(folder, 'nginx.conf')
  writeFileSync(configFile, configOf(folder))
  const child = await Child.start({
    file,
    // Without -e it opens the log of the system's nginx first.
    args: ['-e', 'stderr', '-p', folder, '-c', configFile],
    env,
    limit,
    logFile: `${folder}.log`,
    readyText: 'start worker process',
  })
  const title = `nginx ${version}`
  return new PutTarget({
    label: 'nginx',
    title,
    downloads: ['file'],
    child,
    port: fixedPort,
    payload,
  })
}

function configOf(folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid ${folder}/nginx.pid;
error_log stderr notice;
worker_processes auto;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  client_max_body_size 0;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${fixedPort};
    root ${folder}/files;
    location / { dav_methods PUT DELETE; }
    location = /about {
      default_type application/json;
      return 200 '{"id":"about","name":"folder","files":[{"id":1,"name":"file","size":4096}]}';
    }
  }
}
`
}
