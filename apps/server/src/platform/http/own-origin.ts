import type { FastifyRequest } from 'fastify'

/**
 * Whether a WebSocket is of a page of this server or of a program. A browser would send the cookies of this site also with the
 * connection of another site's page, but always with an Origin; programs send no Origin and have no such cookies.
 */
export function isOwnOrigin({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  if (headers.origin === undefined) return true
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host
}
