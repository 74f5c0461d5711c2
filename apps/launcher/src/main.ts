/** The commands behind npm: `demo` (npm start), `serve`, `dev`, `admin-create` and `seed`. */
import { setTimeout as delay } from 'node:timers/promises'
import { EngineError } from '@isotherm/engines/engine'
import { toBanner } from './banner.ts'
import { lockFolder } from './data-lock.ts'
import { listenForEnd } from './end-signals.ts'
import { type Command, readCommand, readOptions, StartRefused } from './options.ts'
import { createPartSupervisor } from './part-supervisor.ts'
import { programs } from './places.ts'
import { checkDependencies, prepareFolder } from './preflight.ts'
import { startProduct } from './product.ts'
import { runOnDatabase } from './run-on-database.ts'
import { loadSecrets } from './secrets.ts'
import { createShutdown } from './shutdown.ts'

const report = (line: string) => console.error(`isotherm: ${line}`)

async function run(command: Exclude<Command, 'admin-create' | 'seed'>): Promise<never> {
  const options = readOptions(command, process.env)
  await prepareFolder(options.dataDir)
  const lock = await lockFolder(options.dataDir)
  const shutdown = createShutdown(report)
  const end = async (code: number): Promise<never> => {
    await shutdown.end()
    await lock.release()
    process.exit(code)
  }
  listenForEnd({
    onEnd: () => {
      report('ending')
      void end(0)
    },
    // The parts end on their own when this process is gone.
    onEndNow: () => void lock.release().finally(() => process.exit(1)),
  })
  try {
    await checkDependencies(options)
    const product = await startProduct({
      command,
      options,
      secrets: await loadSecrets(options.dataDir),
      programs,
      environment: process.env,
      shutdown,
      report,
      startPart: createPartSupervisor({
        shutdown,
        report,
        onLost: (error) => {
          report(error.message)
          void end(1)
        },
      }),
      onDatabase: (url) => lock.publish(url),
    })
    const startS = process.uptime()
    const mode = command === 'serve' ? 'production' : 'demo'
    console.log(toBanner({ ...product, mode, dataDir: options.dataDir, startS }))
  } catch (error) {
    // A start that was cancelled on purpose is no failure; its canceller also ends the process.
    if (!shutdown.signal.aborted) {
      report(toLine(error))
      return end(1)
    }
  }
  // The parts run until a signal ends this process.
  for (;;) await delay(2 ** 30)
}

/** One line for the terminal; more only for an unexpected error. */
function toLine(error: unknown): string {
  if (error instanceof StartRefused || error instanceof EngineError) return error.message
  return error instanceof Error ? error.message : String(error)
}

try {
  const words = process.argv.slice(2)
  const command = readCommand(words)
  if (command === 'admin-create' || command === 'seed') {
    const options = readOptions(command, process.env)
    await prepareFolder(options.dataDir)
    const program = command === 'seed' ? programs.seed : programs.adminCreate
    process.exitCode = await runOnDatabase(program, words.slice(1), options)
  } else await run(command)
} catch (error) {
  report(toLine(error))
  process.exitCode = 1
}
