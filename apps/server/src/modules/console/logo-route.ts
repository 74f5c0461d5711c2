import type { FastifyInstance } from 'fastify'
import type { CompanyLogo } from './company-logo.ts'

/** Below the first backend's base path, so that a proxy of that path also serves the logo. */
export const LOGO_PATH = '/usrCloud/console/companyLogo'

/** An SVG opened directly is a page. It may use its own styles and nothing else. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

/** Serves the logo without a session. */
export function addLogoRoute(app: FastifyInstance, { bytes, contentType, etag }: CompanyLogo): void {
  app.get(LOGO_PATH, async (request, reply) => {
    reply
      .header('Content-Security-Policy', POLICY)
      .header('X-Frame-Options', 'DENY')
      .header('Cache-Control', 'no-cache')
      .header('ETag', etag)
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type(contentType).send(bytes)
  })
}
