import { z } from 'zod'
import { createCore } from '../../../core.ts'
import { processEnvironment, readConfig } from '../../../platform/config.ts'
import { createLog } from '../../../platform/log.ts'
import { createProcessCommands } from '../../commands/commands-process.testkit.ts'
import { createFastClock } from '../../commands/fast-clock.testkit.ts'
import { commandsMigrations } from '../../commands/migrations.pg.ts'
import { irrigationModule } from '../../irrigation/index.ts'
import { balancingMigrations } from '../migrations.pg.ts'
import type { Verification } from '../plan/planner.ts'
import { createTestPlanner, createTestReadings } from './campaign-plan.testkit.ts'
import { startCampaignRunner } from './run/runner.ts'

const stationHead = z.object({ deviceId: z.number(), headKpa: z.number() })
const readAt = { ts: z.number() }

/** A reply of a device and its reading afterwards. */
const processMessage = z.object({
  node: z.string(),
  reply: z.string(),
  reading: z.union([
    stationHead.extend(readAt),
    z.object({ deviceId: z.number(), openingPct: z.number(), ...readAt }),
  ]),
})

const settings = z.object({
  syncedAt: z.number(),
  factor: z.number(),
  aheadMs: z.number(),
  /** First report of the station. */
  station: stationHead,
})

/**
 * Database, commands and campaigns in a separate process, for tests that kill it. Messages to devices go to the
 * parent process, which replies; readings are always good. The first argument of the program is the settings of its
 * clock as JSON. `after` is the result of rounds.
 */
export async function startCampaignProcess(after?: Verification['indices']) {
  const config = readConfig(processEnvironment())
  const log = createLog(config)
  const { station, ...time } = settings.parse(JSON.parse(process.argv[2] ?? '{}'))
  const clock = createFastClock(time)
  let headKpa = station.headKpa
  const core = await createCore({ config, log, clock }, [
    commandsMigrations,
    irrigationModule.migrations,
    balancingMigrations,
  ])
  const { db, signals, devices, session } = core
  const commands = await createProcessCommands(core, {
    findOpening: () => undefined,
    findMetrics: (id) =>
      id === station.deviceId ? { 'pressure.diff': headKpa, 'pump.target': headKpa } : undefined,
  })
  const observe = (reading: z.infer<typeof processMessage>['reading']): void => {
    if ('openingPct' in reading) commands.observeOpening(reading)
    else {
      headKpa = reading.headKpa
      commands.observeHead(reading)
    }
  }
  observe({ ...station, ts: clock.now() })
  process.on('message', (message) => {
    const { node, reply, reading } = processMessage.parse(message)
    commands
      .acceptReply({ tenant: 'test', gateway: node }, Buffer.from(reply))
      .then(() => observe(reading))
      .catch((err: unknown) => log.warn({ err }, 'a reply was lost'))
  })
  const planner = createTestPlanner(createTestReadings(), clock)
  startCampaignRunner({
    db,
    clock,
    log,
    signals,
    planner: {
      ...planner,
      async verify(...order) {
        const verification = await planner.verify(...order)
        return { ...verification, indices: after ?? verification.indices }
      },
    },
    commands: commands.service,
    batches: commands.batches,
    states: { find: () => undefined },
    findDevices: devices.service.findDevices,
    findAccess: session.findAccountAccess,
  })
  return {
    db,
    clock,
    log,
    signals,
    commands: commands.service,
    findAccess: session.findAccountAccess,
  }
}
