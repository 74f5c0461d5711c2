import { destination } from 'pino'
import { RegistryFileError } from './modules/network/index.ts'
import { systemClock } from './platform/clock.ts'
import { type Config, ConfigError, processEnvironment, readConfig } from './platform/config.ts'
import { NewerSchemaError } from './platform/lifecycle/newer-schema.ts'
import { onTermination } from './platform/lifecycle/shutdown.ts'
import { createLog, type Log } from './platform/log.ts'
import { createLogForward } from './platform/log-forward/log-forward.ts'
import { type Server, startServer } from './server.ts'

/** Ends the process with one line that states the fault. */
function refuse(line: string): never {
  console.error(`isotherm server: ${line}`)
  process.exit(1)
}

function readConfigOrRefuse(): Config {
  try {
    return readConfig(processEnvironment())
  } catch (error) {
    if (error instanceof ConfigError) refuse(error.message)
    throw error
  }
}

const config = readConfigOrRefuse()
const forward =
  config.logForward === undefined
    ? undefined
    : createLogForward({
        url: config.logForward,
        clock: systemClock,
        onChange: (text) => log.warn(text),
      })
const standardOutput = destination({ dest: 1, sync: true })
const log: Log = createLog(config, {
  write(line) {
    standardOutput.write(line)
    forward?.write(line)
  },
})

/** Time to send the line of an uncaught error to the collector, ms: the process must not go on in an unknown state. */
const LAST_LINE_MS = 200

// An uncaught error means an unknown state: end the process, so that its supervisor restarts it.
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'uncaught error')
  void (forward?.close(LAST_LINE_MS) ?? Promise.resolve()).finally(() => process.exit(1))
})

/** The message of an error with its causes: the fault of a store is the innermost cause. */
function toCause(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return toCause(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${toCause(error.cause)}`
}

let server: Server | undefined
onTermination(process, (reason) => {
  log.info({ reason }, 'closing')
  const closed = server?.close() ?? Promise.resolve()
  closed
    .finally(() => forward?.close())
    .then(
      () => process.exit(0),
      () => process.exit(1),
    )
})

try {
  server = await startServer({ config, log, clock: systemClock })
  const { port, mqttPort, mqttTlsPort } = server
  console.log(`ISOTHERM_READY ${JSON.stringify({ port, mqttPort, mqttTlsPort })}`)
} catch (error) {
  if (error instanceof ConfigError || error instanceof NewerSchemaError) refuse(error.message)
  log.error({ err: error }, 'could not start')
  await forward?.close()
  refuse(error instanceof RegistryFileError ? error.message : `cannot start: ${toCause(error)}`)
}
