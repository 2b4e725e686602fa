import { writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Writes the configuration of an nginx that stays in the foreground and keeps all of its files in
 * the folder.
 * @param servers `server` blocks
 * @param first lines before all others
 * @returns its arguments
 */
export function configureNginx(folder: string, servers: string, first = ''): string[] {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`)
  const file = path.join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `${first}worker_processes 1;\npid ${folder}/nginx.pid;\ndaemon off;\nerror_log stderr;\n` +
      `events {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${servers}\n}\n`,
  )
  return ['-e', 'stderr', '-c', file]
}
