import { basename } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Serves the built console. Names of assets contain a hash, so browsers may cache them forever. Each file has a route of
 * its own, from the files present at the start: a wildcard route would read the folder at each request.
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
      const cacheControl = isAsset && !isPage ? 'public, max-age=31536000, immutable' : 'no-cache'
      reply.header('Cache-Control', cacheControl)
    },
  })
}

/** Whether a request without a route asks for a page. The console routes pages itself. */
export const isPageRequest = (request: FastifyRequest): boolean =>
  request.method === 'GET' &&
  (request.headers.accept ?? '').includes('text/html') &&
  !/\.\w{1,8}$/.test(request.url.split('?')[0] ?? '')

export const sendConsolePage = (reply: FastifyReply): FastifyReply => reply.sendFile('index.html')
