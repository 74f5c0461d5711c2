import type { OutgoingHttpHeaders } from 'node:http'
import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Who may show pages of ours in a frame of theirs. */
export interface Framing {
  /** Origins whose pages may; with none, not even a page of our own. */
  readonly frameOrigins: readonly string[]
}

/** Where pages of ours may be shown, and from where they may take pictures besides their own. */
export interface PageOrigins extends Framing {
  readonly iconOrigins: readonly string[]
  /** Origins of pictures below the map. */
  readonly tileOrigins: readonly string[]
}

/**
 * Headers of an answer to what is no request at all, such as a URL that cannot be read: Fastify gives it
 * before any hook has run. It is no page, so it may do nothing and stand nowhere.
 */
export const unreadableHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

/** What helmet, which writes past Fastify, puts on an answer. */
function findHelmetHeaders(reply: FastifyReply): OutgoingHttpHeaders {
  const before = new Set(reply.raw.getHeaderNames())
  reply.helmet()
  return Object.fromEntries(Object.entries(reply.raw.getHeaders()).filter(([name]) => !before.has(name)))
}

/**
 * Headers that tell browsers what pages of ours may do. Company networks are often plain HTTP, so nothing
 * here forces HTTPS; antd writes its styles into the page and has small images in them. Nothing runs in a worker.
 * X-Frame-Options knows no list of origins, so it only stands where nobody may frame; browsers that know
 * frame-ancestors ignore it anyway.
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
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: isFramed ? ["'self'", ...frameOrigins] : ["'none'"],
      },
    },
  })
  // They are the same for every answer, and to work them out takes as long as to find out who calls.
  let headers: OutgoingHttpHeaders | undefined
  app.addHook('onRequest', (_request, reply, done) => {
    headers ??= findHelmetHeaders(reply)
    reply.headers(headers)
    done()
  })
}
