import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Clock } from '../../clock.ts'
import { withTimeout } from '../../tasks/timeout.ts'

/** Whether a dependency of the server answers now. A check that returns false or throws means not ready. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<boolean>>>

export interface HealthOptions {
  readonly checks: ReadinessChecks
  readonly metrics: Registry
  /** Reads /metrics from any machine; absent: only a demo shows its metrics, to its own machine. */
  readonly metricsToken?: string | undefined
  readonly isDemo: boolean
  readonly clock: Pick<Clock, 'setTimeout'>
}

/** Load balancers and the doctor wait 5 s. A store that answers later than this is not ready for calls either. */
const CHECK_MS = 4_000

/** Compares in a time that does not depend on where the texts differ. */
const isSame = (left: string, right: string): boolean =>
  timingSafeEqual(hash('sha256', left, 'buffer'), hash('sha256', right, 'buffer'))

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Whether the request is from this machine itself, not through a proxy on it. */
const isLocal = (request: FastifyRequest): boolean =>
  LOOPBACK.has(request.socket.remoteAddress ?? '') && request.headers['x-forwarded-for'] === undefined

/**
 * In production a proxy on this machine that adds no header would look like this machine, so that only a token opens the
 * metrics. The console of a demo listens on this machine only.
 */
function mayReadMetrics(request: FastifyRequest, { metricsToken, isDemo }: HealthOptions): boolean {
  if (isDemo && isLocal(request)) return true
  return metricsToken !== undefined && isSame(request.headers.authorization ?? '', `Bearer ${metricsToken}`)
}

/** Adds /healthz (the process runs), /readyz (all dependencies answer) and /metrics (for Prometheus, restricted). */
export function addHealth(app: FastifyInstance, options: HealthOptions): void {
  const { checks, metrics, clock } = options
  const answers = (check: () => Promise<boolean>): Promise<boolean> =>
    withTimeout(clock, CHECK_MS, check).catch(() => false)

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
    if (!mayReadMetrics(request, options)) return reply.code(404).send()
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}
