import { readSettings } from './runtime/config.ts'
import { startGateway } from './runtime/gateway.ts'
import { limitHeap } from './runtime/limit-heap.ts'
import { watchConfig } from './runtime/watch-config.ts'

/** Time for a clean end, ms. */
const STOP_MS = 3_000

const report = (text: string): void => console.error(`gateway: ${text}`)

function fail(problem: string): never {
  report(problem)
  process.exit(1)
}

// An uncaught error means an unknown state: what is stored is safe, and the service manager starts a new process.
process.on('uncaughtException', (error) => fail(error.stack ?? error.message))

limitHeap()
const outcome = readSettings(process.env)
if (outcome.kind === 'invalid') fail(outcome.problems.join('; '))
const { settings } = outcome
try {
  const gateway = startGateway({ ...settings, report })
  const source = await watchConfig(settings, {
    report,
    use: gateway.configure,
    onRefused: gateway.setRefused,
  })
  let isStopping = false
  const stop = (): void => {
    if (isStopping) return
    isStopping = true
    source.close()
    setTimeout(() => process.exit(1), STOP_MS).unref()
    gateway.close().then(
      () => process.exit(0),
      (error: unknown) => fail(`stopping failed: ${error instanceof Error ? error.message : error}`),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('disconnect', stop)
  const { lines, devices } = gateway.health()
  console.log(
    `GATEWAY_READY ${JSON.stringify({ lines, devices, dtuPort: gateway.dtuPort(), pushPort: gateway.pushPort() })}`,
  )
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
}
