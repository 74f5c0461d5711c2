/**
 * Database, commands and the runner of irrigation in a separate process, for tests that kill it. Messages to devices go to the
 * parent process, which replies. Argument: the settings of its clock as JSON.
 */
import { z } from 'zod'
import { createCore } from '../../core.ts'
import { processEnvironment, readConfig } from '../../platform/config.ts'
import { createLog } from '../../platform/log.ts'
import { READY } from '../../testing/server-process.testkit.ts'
import { createProcessCommands } from '../commands/commands-process.testkit.ts'
import { createFastClock } from '../commands/fast-clock.testkit.ts'
import { commandsMigrations } from '../commands/migrations.pg.ts'
import { createFieldReader, createFindMetric, type FindReading } from './field.ts'
import { irrigationMigrations } from './migrations.pg.ts'
import { startIrrigationRunner } from './run/runner.ts'
import { listLongestOpenings } from './storage/sources.pg.ts'

/** A reading of a valve, and perhaps the reply that it gives. */
const processMessage = z.object({
  reply: z.string().optional(),
  reading: z.object({ deviceId: z.number(), openingPct: z.number(), flowM3H: z.number(), ts: z.number() }),
})
const settings = z.object({ syncedAt: z.number(), factor: z.number(), aheadMs: z.number() })

const config = readConfig(processEnvironment())
const log = createLog(config)
const clock = createFastClock(settings.parse(JSON.parse(process.argv[2] ?? '{}')))
const core = await createCore({ config, log, clock }, [commandsMigrations, irrigationMigrations])
const { db, devices, session } = core
const states = new Map<number, { ts: number; metrics: Record<string, number> }>()
const commands = await createProcessCommands(core, {
  findOpening: (id) => states.get(id)?.metrics['valve.opening'],
  listLongestOpenings: (ids) => listLongestOpenings(db, ids),
})
process.on('message', (message) => {
  const { reply, reading } = processMessage.parse(message)
  const { deviceId, openingPct, flowM3H, ts } = reading
  const accept = reply
    ? commands.acceptReply({ tenant: 'test', gateway: 'C1' }, Buffer.from(reply))
    : Promise.resolve()
  accept
    .then(() => {
      states.set(deviceId, { ts, metrics: { 'valve.opening': openingPct, 'heat.flow': flowM3H } })
      commands.observeOpening({ deviceId, openingPct, ts })
    })
    .catch((err: unknown) => log.warn({ err }, 'a reply was lost'))
})
const findReading: FindReading = (deviceId, metric) => {
  const { ts = 0, metrics = {} } = states.get(deviceId) ?? {}
  const value = metrics[metric]
  return value === undefined ? undefined : { value, ts }
}
const findMetric = createFindMetric(findReading)
startIrrigationRunner({
  db,
  clock,
  log,
  findMetric,
  findReading,
  field: createFieldReader({
    clock,
    log,
    directory: devices.directory,
    findMetric,
    readWeather: async () => [],
    readForecast: async () => [],
  }),
  commands: commands.service,
  findPeriodS: (id) => devices.directory.findById(id)?.periodS,
  findAccess: session.findAccountAccess,
})
console.log(`${READY}${JSON.stringify({ port: 0 })}`)
