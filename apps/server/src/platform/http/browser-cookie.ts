import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

const NAME = 'isotherm_browser'
/** Over HTTPS. Browsers accept this prefix only from the host itself, with Secure: no neighbouring site can set it. */
const HOST_NAME = `__Host-${NAME}`

const toPattern = (name: string): RegExp => new RegExp(`(?:^|;\\s*)${name}=([\\w-]{22})(?:;|$)`)
const patterns = { http: toPattern(NAME), https: toPattern(HOST_NAME) } as const

/**
 * Random name of the browser of a public call; sets the cookie if the browser has none. The name gives no access: it only
 * links two logins. Inside a frame of another site browsers store only partitioned cookies, and only over HTTPS
 * (docs/adr/0014).
 */
export function nameBrowser(request: FastifyRequest, reply: FastifyReply, mayBeFramed: boolean): string {
  const isSafe = request.protocol === 'https'
  const known = patterns[isSafe ? 'https' : 'http'].exec(request.headers.cookie ?? '')?.[1]
  if (known !== undefined) return known
  const name = randomBytes(16).toString('base64url')
  const site = isSafe && mayBeFramed ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Strict'
  const secure = isSafe && !mayBeFramed ? '; Secure' : ''
  const cookie = isSafe ? HOST_NAME : NAME
  reply.header('Set-Cookie', `${cookie}=${name}; Path=/; HttpOnly; ${site}${secure}`)
  return name
}
