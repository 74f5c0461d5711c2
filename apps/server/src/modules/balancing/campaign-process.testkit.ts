import { z } from 'zod'
import { createCore } from '../../core.ts'
import { processEnvironment, readConfig } from '../../platform/config.ts'
import { createLog } from '../../platform/log.ts'
import { createFastClock } from '../commands/fast-clock.testkit.ts'
import { commandsMigrations, createCommands } from '../commands/index.ts'
import { createTestPlanner, createTestSight } from './campaign-plan.testkit.ts'
import { findAbort } from './find-abort.ts'
import { balancingMigrations } from './migrations.pg.ts'
import type { Verification } from './planner.ts'
import { startCampaignRunner } from './runner.ts'
import { createCampaignStore } from './store.pg.ts'

/** A valve's reply and, once it has moved, what is read of it then. */
const heard = z.object({
  node: z.string(),
  reply: z.string(),
  reading: z.object({ deviceId: z.number(), ts: z.number(), openingPct: z.number() }).optional(),
})

const settings = z.object({ agreedAt: z.number(), factor: z.number(), aheadMs: z.number() })

/**
 * Stores, commands and campaigns in a process of their own, for tests that kill it: what it would publish to valves goes to
 * the process that started it, which answers for them, and what is measured is always good. The first argument of the
 * program is the settings of its clock as JSON. `after` is what rounds come to.
 */
export async function startCampaignProcess(after?: Verification['indices']) {
  const config = readConfig(processEnvironment())
  const log = createLog(config)
  const clock = createFastClock(settings.parse(JSON.parse(process.argv[2] ?? '{}')))
  const core = await createCore({ config, log, clock }, [commandsMigrations, balancingMigrations])
  const { db, signals, network, devices, session } = core
  const commands = await createCommands({
    ...{ db, signals, clock, log, network, directory: devices.directory, devices: devices.service },
    ...{ groups: devices.groups, listSwitchedOff: devices.listSwitchedOff, changes: devices.changes },
    findOpening: () => undefined,
    isConnected: () => true,
    publish: async (topic, payload) => {
      process.send?.({ topic, payload })
    },
  })
  process.on('message', (message) => {
    const { node, reply, reading } = heard.parse(message)
    commands
      .takeReply({ tenant: 'test', node }, Buffer.from(reply))
      .then(() => reading && commands.observeOpening(reading))
      .catch((err: unknown) => log.warn({ err }, 'a reply was lost'))
  })
  const planner = createTestPlanner(createTestSight(), clock)
  const store = createCampaignStore(db)
  startCampaignRunner({
    ...{ db, store, clock, log, signals, findAbort },
    planner: {
      ...planner,
      async verify(...order) {
        const verification = await planner.verify(...order)
        return { ...verification, indices: after ?? verification.indices }
      },
    },
    ...{ commands: commands.service, batches: commands.batches },
    findDevices: devices.service.findDevices,
    findAccess: session.findAccountAccess,
  })
  return {
    ...{ db, clock, log, signals, campaigns: store, commands: commands.service },
    findAccess: session.findAccountAccess,
  }
}
