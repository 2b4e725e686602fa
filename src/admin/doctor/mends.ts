// Lines of configuration that mend findings, for each proxy.

export const proxyKinds = ['nginx', 'caddy', 'apache', 'traefik'] as const
export type ProxyKind = (typeof proxyKinds)[number]

/** Lines for the options file, a command line, or lines for each kind of proxy. */
export interface Mend {
  readonly options?: readonly string[]
  readonly commands?: readonly string[]
  readonly proxies?: Readonly<Record<ProxyKind, readonly string[]>>
}

const traefikBuffering = [
  '# Remove the middleware "buffering" from the router; without it, nothing is limited.',
]

export const bodySizeMend: Mend = {
  proxies: {
    nginx: ['client_max_body_size 0;'],
    caddy: ['# Remove "request_body { max_size … }" from the site.'],
    apache: ['LimitRequestBody 0'],
    traefik: traefikBuffering,
  },
}

export const requestBufferingMend: Mend = {
  proxies: {
    nginx: ['proxy_request_buffering off;', 'proxy_http_version 1.1;'],
    caddy: ['# Remove "request_buffers" from reverse_proxy.'],
    apache: ['# Remove "SetEnv proxy-sendcl 1" and mod_security body inspection.'],
    traefik: traefikBuffering,
  },
}

/** @param upstream where the service listens for the proxy, as `host:port` */
export const responseBufferingMend = (upstream: string): Mend => ({
  proxies: {
    nginx: ['proxy_buffering off;'],
    caddy: ['# Remove "response_buffers" from reverse_proxy, or add: flush_interval -1'],
    apache: [`ProxyPass / http://${upstream}/ flushpackets=on`],
    traefik: traefikBuffering,
  },
})

export const timeoutMend: Mend = {
  proxies: {
    nginx: ['proxy_read_timeout 300s;', 'proxy_send_timeout 300s;'],
    caddy: ['# In reverse_proxy: transport http { read_timeout 300s }, or leave it out.'],
    apache: ['ProxyTimeout 300'],
    traefik: [
      '# Static configuration, for the entry point of the service:',
      'entryPoints.websecure.transport.respondingTimeouts.readTimeout: 0s',
    ],
  },
}

export const forwardedForMend: Mend = {
  proxies: {
    nginx: ['proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;'],
    caddy: ['# reverse_proxy sets it. Remove "header_up X-Forwarded-For" and "-X-Forwarded-For".'],
    apache: ['ProxyAddHeaders On'],
    traefik: ['# Remove "forwardedHeaders.insecure: true" from the entry point.'],
  },
}

export const hostMend: Mend = {
  proxies: {
    nginx: ['proxy_set_header Host $http_host;'],
    caddy: ['# reverse_proxy keeps it. Remove "header_up Host" from it.'],
    apache: ['ProxyPreserveHost On'],
    traefik: ['# Service: loadBalancer.passHostHeader: true'],
  },
}

/** @param upstream where the service listens for the proxy, as `host:port` */
export const httpsMend = (upstream: string): Mend => ({
  proxies: {
    nginx: [
      'listen 443 ssl;',
      'ssl_certificate /etc/letsencrypt/live/files.example.org/fullchain.pem;',
      'ssl_certificate_key /etc/letsencrypt/live/files.example.org/privkey.pem;',
    ],
    caddy: [
      '# Name the site without http://, so that Caddy gets a certificate:',
      'files.example.org {',
      `    reverse_proxy ${upstream}`,
      '}',
    ],
    apache: [
      'SSLEngine on',
      'SSLCertificateFile /etc/letsencrypt/live/files.example.org/fullchain.pem',
      'SSLCertificateKeyFile /etc/letsencrypt/live/files.example.org/privkey.pem',
    ],
    traefik: ['# Router: entryPoints: [websecure], tls.certResolver: letsencrypt'],
  },
})

export const redirectMend: Mend = {
  proxies: {
    nginx: [
      'server {',
      '    listen 80;',
      '    server_name files.example.org;',
      '    return 301 https://$host$request_uri;',
      '}',
    ],
    caddy: ['# Caddy redirects by itself. Remove "auto_https disable_redirects".'],
    apache: ['Redirect permanent / https://files.example.org/'],
    traefik: ['entryPoints.web.http.redirections.entryPoint.to: websecure'],
  },
}

export const hstsMend: Mend = {
  proxies: {
    nginx: ['# Remove "proxy_hide_header Strict-Transport-Security;".'],
    caddy: ['# Remove "header -Strict-Transport-Security" from the site.'],
    apache: ['# Remove "Header unset Strict-Transport-Security".'],
    traefik: ['# Remove "customResponseHeaders" of Strict-Transport-Security.'],
  },
}

export const http2Mend: Mend = {
  proxies: {
    nginx: ['http2 on; # before nginx 1.25.1: listen 443 ssl http2;'],
    caddy: ['# Caddy offers it. Remove "protocols" from the servers option, or add h2 to it.'],
    apache: ['Protocols h2 http/1.1'],
    traefik: ['# Traefik offers it. Remove "alpnProtocols", or add h2 to it.'],
  },
}

export const ipv6Mend: Mend = {
  proxies: {
    nginx: ['listen [::]:443 ssl;'],
    caddy: ['# Caddy listens on IPv6. Remove "bind" from the site, or add the address.'],
    apache: ['Listen [::]:443'],
    traefik: ['entryPoints.websecure.address: ":443"'],
  },
}

/** Recognised by headers of an answer; null for a proxy that shows none of its own. */
export function guessProxy(server: string, via: string): ProxyKind | null {
  const said = `${server} ${via}`.toLowerCase()
  return proxyKinds.find((kind) => said.includes(kind)) ?? null
}

/** The kinds whose lines are shown: the one that is known, otherwise the two most common. */
export function shownKinds(kind: ProxyKind | null): readonly ProxyKind[] {
  return kind === null ? ['nginx', 'caddy'] : [kind]
}
