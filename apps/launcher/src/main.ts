/** The commands behind npm: `demo` (npm start), `serve`, `dev`, and those that work on the stores and end. */
import { setTimeout as delay } from 'node:timers/promises'
import { EngineError } from '@isotherm/engines/engine'
import { toBanner } from './banner.ts'
import { startBackupSchedule } from './commands/backup-schedule.ts'
import { examine } from './commands/examine.ts'
import { restore } from './commands/restore.ts'
import { runOnStores, runTool } from './commands/run-tool.ts'
import { refuseUnfinishedRestore } from './commands/unfinished-restore.ts'
import { describeProgram } from './commands/version.ts'
import { ensureConsole } from './console/build.ts'
import { findFullDisk, startDiskWatch } from './disk-watch.ts'
import { listenForEnd } from './end-signals.ts'
import { lockFolder } from './locks/data-lock.ts'
import { type Command, type ProductCommand, readCommand, readOptions, StartRefused } from './options.ts'
import { createPartSupervisor } from './part-supervisor.ts'
import { programs } from './places.ts'
import { checkDependencies, prepareFolder } from './preflight.ts'
import { startProduct } from './product.ts'
import { loadSecrets, toSecretEnvironment } from './secrets.ts'
import { createShutdown } from './shutdown.ts'

const report = (line: string) => console.error(`isotherm: ${line}`)

async function run(command: ProductCommand): Promise<never> {
  const options = readOptions(command, process.env)
  await prepareFolder(options.dataDir)
  await refuseUnfinishedRestore(options.dataDir)
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
    startDiskWatch(options.dataDir, report, shutdown.signal)
    const secrets = await loadSecrets(options.dataDir)
    const product = await startProduct({
      command,
      options,
      secrets,
      programs,
      environment: process.env,
      shutdown,
      report,
      startPart: createPartSupervisor({
        shutdown,
        report,
        findObstacle: () => findFullDisk(options.dataDir),
        onLost: (error) => {
          report(error.message)
          void end(1)
        },
      }),
      onEngine: (store, url) => lock.publish(store, url),
    })
    const startS = process.uptime()
    const mode = command === 'serve' ? 'production' : 'demo'
    if (options.backup) {
      const words = ['--to', options.backup.folder, '--keep', String(options.backup.keep)]
      const env = { ...toSecretEnvironment(secrets, process.env), ...product.stores }
      const run = () => runTool({ program: programs.backup, words }, env, shutdown.signal)
      startBackupSchedule({ ...options.backup, run, report }, shutdown.signal)
    }
    console.log(toBanner({ ...product, mode, dataDir: options.dataDir, startS }))
  } catch (error) {
    // A start that was cancelled on purpose is no error; the code that cancelled it also ends the process.
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

/** Runs a command that works on the stores. Returns its exit code. */
async function runCommand(command: Exclude<Command, ProductCommand>, words: readonly string[]) {
  if (command === 'version') {
    console.log(await describeProgram())
    return 0
  }
  const options = readOptions(command, process.env)
  if (command === 'restore') return restore(programs.restore, words, options)
  if (command === 'build-console') {
    await ensureConsole(new AbortController().signal, report)
    return 0
  }
  if (command === 'doctor') return examine(programs.doctor, words, options)
  await prepareFolder(options.dataDir)
  const database = ['DATABASE_URL'] as const
  const tools = {
    admin: { program: programs.adminCreate, words, stores: database },
    seed: { program: programs.seed, words, stores: database },
    backup: { program: programs.backup, words, stores: [...database, 'CLICKHOUSE_URL'] as const },
  }
  return runOnStores(tools[command], options)
}

try {
  const [first, ...words] = process.argv.slice(2)
  const command = readCommand(first === undefined ? [] : [first])
  if (command === 'demo' || command === 'serve' || command === 'dev') {
    // Otherwise a mistyped or expected option, --help for example, would start the product as if it were understood.
    if (words.length > 0)
      throw new StartRefused(
        `${command} takes no arguments; its settings are in docs/reference/environment.md`,
      )
    await run(command)
  } else process.exitCode = await runCommand(command, words)
} catch (error) {
  report(toLine(error))
  process.exitCode = 1
}
