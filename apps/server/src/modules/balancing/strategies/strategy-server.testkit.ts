/**
 * Campaigns and strategies in a separate process, for tests that kill it (`startCampaignProcess`). Second argument:
 * the readings of its loop, as JSON.
 */
import { z } from 'zod'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import { READY } from '../../../testing/server-process.testkit.ts'
import { createTestPlan, twoWaves } from '../campaign/campaign-plan.testkit.ts'
import { startCampaignProcess } from '../campaign/campaign-process.testkit.ts'
import { checkCampaignMove, moveCampaign } from '../campaign/storage/campaign-changes.pg.ts'
import { findCampaign } from '../campaign/storage/campaign-queries.pg.ts'
import { startStrategyRunner } from './run/runner.ts'
import { withoutSupply } from './supply.testkit.ts'

const place = z.object({
  companyId: z.number(),
  node: z.string(),
  nodeName: z.string(),
  nodePath: z.string(),
  stationNodeId: z.number(),
  stationName: z.string(),
  stationPath: z.string(),
})
const shown = z.object({
  place,
  valves: z.array(z.object({ serial: z.string(), deviceId: z.number(), openingPct: z.number() })),
  /** Spread of returns before and after each round, K. */
  beforeK: z.number(),
  afterK: z.number(),
  /** Point at which it stops and reports. */
  stopAt: z.enum(['plan', 'check', 'trim']).optional(),
})
export type ShownLoop = z.infer<typeof shown>

const loop = shown.parse(JSON.parse(process.argv[3] ?? '{}'))
const { db, clock, log, signals, commands, findAccess } = await startCampaignProcess({
  sigmaReturnK: loop.afterK,
})

async function pass(here: ShownLoop['stopAt']): Promise<void> {
  if (here !== loop.stopAt) return
  process.send?.({ at: here })
  await new Promise<never>(() => undefined)
}

function toRound(waves: Parameters<typeof createTestPlan>[1]) {
  const plan = createTestPlan(loop.valves, waves, { node: loop.place.node, plannedAt: clock.now() })
  return { ...plan, indices: { ...plan.indices, before: { sigmaReturnK: loop.beforeK } } }
}

startStrategyRunner({
  db,
  clock,
  log,
  signals,
  commands,
  findAccess,
  findCampaign: (id) => findCampaign(db, scopeOfEverything, id),
  async checkApproval(move) {
    await pass('check')
    await checkCampaignMove(db, 'approve', move)
  },
  moveCampaign: (event, move, operation, extraWrites) =>
    moveCampaign(db, event, move, operation, extraWrites),
  planner: {
    findPlace: async () => loop.place,
    async plan() {
      await pass('plan')
      return toRound(twoWaves)
    },
    async trim() {
      await pass('trim')
      return toRound([['close', { C1V1: 55 }]])
    },
  },
  readSnapshot: async () => ({
    outdoorC: 0,
    roomC: () => 15,
    countValves: () => 4,
    findTimeConstant: async () => ({ kind: 'not-measured' }),
  }),
  network: { findParts: async () => new Map() },
  supply: withoutSupply,
})
console.log(`${READY}${JSON.stringify({ port: 0 })}`)
