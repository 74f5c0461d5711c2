import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'

/** Whether a dependency of the server answers now. A check that returns false or throws means not ready. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<boolean>>>

export interface HealthOptions {
  readonly checks: ReadinessChecks
  readonly metrics: Registry
  readonly metricsToken?: string | undefined
}

const answers = async (check: () => Promise<boolean>): Promise<boolean> => check().catch(() => false)

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Whether the request is from this machine itself, not through a proxy on it. */
const isLocal = (request: FastifyRequest): boolean =>
  LOOPBACK.has(request.socket.remoteAddress ?? '') && request.headers['x-forwarded-for'] === undefined

function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  return isLocal(request) || (token !== undefined && request.headers.authorization === `Bearer ${token}`)
}

/** Adds /healthz (the process runs), /readyz (all dependencies answer) and /metrics (for Prometheus, restricted). */
export function addHealth(app: FastifyInstance, { checks, metrics, metricsToken }: HealthOptions): void {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    const names = Object.keys(checks)
    const results = await Promise.all(Object.values(checks).map(answers))
    const ready = results.every(Boolean)
    reply.code(ready ? 200 : 503)
    return {
      status: ready ? 'ready' : 'not ready',
      checks: Object.fromEntries(names.map((name, index) => [name, results[index] === true])),
    }
  })

  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, metricsToken)) return reply.code(404).send()
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}
