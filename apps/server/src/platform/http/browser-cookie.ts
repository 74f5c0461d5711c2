import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

const COOKIE = /(?:^|;\s*)isotherm_browser=([\w-]{22})(?:;|$)/

/**
 * Random name of the browser of a public call; sets the cookie if the browser has none. The name gives no access: it only
 * links two logins. Inside a frame of another site browsers store only partitioned cookies, and only over HTTPS
 * (docs/adr/0014).
 */
export function nameBrowser(request: FastifyRequest, reply: FastifyReply, mayBeFramed: boolean): string {
  const known = COOKIE.exec(request.headers.cookie ?? '')?.[1]
  if (known !== undefined) return known
  const name = randomBytes(16).toString('base64url')
  const site =
    mayBeFramed && request.protocol === 'https' ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Strict'
  reply.header('Set-Cookie', `isotherm_browser=${name}; Path=/; HttpOnly; ${site}`)
  return name
}
