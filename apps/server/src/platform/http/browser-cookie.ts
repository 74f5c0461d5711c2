import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

const COOKIE = /(?:^|;\s*)isotherm_browser=([\w-]{22})(?:;|$)/

/**
 * Random name of the browser a public call comes from; a browser without one is given it. It opens nothing
 * by itself: it only says that two logins belong together. Inside a frame of another site a browser keeps only
 * cookies that are marked for it, and takes that mark over HTTPS alone (docs/adr/0014).
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
