import type { OutgoingHttpHeaders } from 'node:http'
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Other sites that may show our pages in a frame. */
export interface Framing {
  /** Origins of these sites; empty: no frames at all, not even on our own pages. */
  readonly frameOrigins: readonly string[]
}

/** Sites that may frame our pages, and origins of external images. */
export interface PageOrigins extends Framing {
  readonly iconOrigins: readonly string[]
  /** Origins of the base map's tiles. */
  readonly tileOrigins: readonly string[]
}

/**
 * Headers of the answer to an unreadable request, for example an invalid URL. Fastify answers it before any hook runs. The
 * answer is no page, so everything is forbidden.
 */
export const unreadableHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

/**
 * Devices of the browser that our pages use: only the camera, to scan labels. A page of another site that frames the console
 * must also allow it (`allow="camera"`).
 */
const PERMISSIONS = 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()'

/** Headers that helmet sets; it writes to the raw response. */
function findHelmetHeaders(reply: FastifyReply): OutgoingHttpHeaders {
  const before = new Set(reply.raw.getHeaderNames())
  reply.helmet()
  return Object.fromEntries(Object.entries(reply.raw.getHeaders()).filter(([name]) => !before.has(name)))
}

/**
 * Adds the security headers of our pages. Company networks often use plain HTTP, so nothing here forces HTTPS. antd adds
 * inline styles with small images. There are no workers. X-Frame-Options supports no list of origins, so it is set only
 * if frames are forbidden; browsers that support frame-ancestors ignore it.
 */
export async function addSecurityHeaders(
  app: FastifyInstance,
  { frameOrigins, iconOrigins, tileOrigins }: PageOrigins,
): Promise<void> {
  const isFramed = frameOrigins.length > 0
  await app.register(helmet, {
    global: false,
    hsts: false,
    xFrameOptions: isFramed ? false : { action: 'deny' },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', ...iconOrigins, ...tileOrigins],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'none'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: isFramed ? ["'self'", ...frameOrigins] : ["'none'"],
      },
    },
  })
  // The headers are the same for every answer. Computing them takes as long as authenticating a call.
  let headers: OutgoingHttpHeaders | undefined
  app.addHook('onRequest', (_request, reply, done) => {
    headers ??= { ...findHelmetHeaders(reply), 'permissions-policy': PERMISSIONS }
    reply.headers(headers)
    done()
  })
}
