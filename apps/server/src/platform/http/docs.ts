import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { toOpenApi } from './openapi.ts'

/** Serves the description of the calls at /docs; everything the page loads comes from here. */
export async function addDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    mode: 'static',
    specification: { document: toOpenApi() },
  })
  await app.register(swaggerUi, { routePrefix: '/docs' })
}
