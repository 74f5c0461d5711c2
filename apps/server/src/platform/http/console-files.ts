import { basename } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Serves the built console; names of its assets carry a hash, so browsers may keep them for good. Each file there is at
 * the start has a route of its own: behind one for all of them the folder would be read at each request.
 */
export async function serveConsole(app: FastifyInstance, directory: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: directory,
    wildcard: false,
    globIgnore: ['**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const isAsset = path.includes('/assets/')
      const isPage = basename(path).startsWith('index.html')
      const keep = isAsset && !isPage ? 'public, max-age=31536000, immutable' : 'no-cache'
      reply.header('Cache-Control', keep)
    },
  })
}

/** Whether a request that matched nothing asks for a page, whose route the console knows itself. */
export const asksForPage = (request: FastifyRequest): boolean =>
  request.method === 'GET' &&
  (request.headers.accept ?? '').includes('text/html') &&
  !/\.\w{1,8}$/.test(request.url.split('?')[0] ?? '')

export const sendConsolePage = (reply: FastifyReply): FastifyReply => reply.sendFile('index.html')
