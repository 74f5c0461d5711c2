import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../app-error.ts'

/** What a load balancer and Prometheus read on the machine itself or on the inner network. */
const OPEN: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** http or https, by which a request reached the proxy. Traefik names the scheme of a WebSocket ws or wss. */
export const toScheme = ({ protocol }: Pick<FastifyRequest, 'protocol'>): string =>
  protocol.replace(/^ws/, 'http')

/**
 * Refuses everything else that did not reach a trusted proxy by HTTPS, so that no token or password is sent in plain text
 * twice: also to who comes past the proxy to the port of the server.
 */
export function addHttpsOnly(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    if (toScheme(request) !== 'https' && !OPEN.has(request.routeOptions.url ?? ''))
      throw new AppError('request.not-https')
  })
}
