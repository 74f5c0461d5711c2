import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { toOpenApi } from './openapi.ts'

/** Serves the API description at /docs, with all files of the page. */
export async function addDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    mode: 'static',
    specification: { document: toOpenApi() },
  })
  await app.register(swaggerUi, { routePrefix: '/docs' })
}
