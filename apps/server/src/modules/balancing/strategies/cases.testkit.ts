import type { StrategyPlan } from '@isotherm/contract/balancing/strategies'
import type { strategiesEndpoints } from '@isotherm/contract/endpoints/control/strategies'
import { sql } from 'kysely'
import { z } from 'zod'
import type { CasesOf, World } from '../../../testing/endpoint-cases.testkit.ts'
import { toArea } from '../cases.testkit.ts'

const seen = z
  .object({ id: z.number(), version: z.number() })
  .transform(({ id, version }) => ({ id, version }))
type SeenVersion = z.infer<typeof seen>

/** A strategy that never starts anything by itself. */
const resting: StrategyPlan = {
  kind: 'temperature',
  target: 'return',
  startAboveK: 10,
  everyHours: 168,
  trims: 0,
}

/** A group that is shut down at night. */
const toSequence = async ({ server }: World): Promise<StrategyPlan> => ({
  kind: 'sequence',
  frostC: 8,
  groups: [
    {
      name: '学校',
      nodes: [await server.nodeKey('b2')],
      shiftMinutes: 15,
      base: { kind: 'flow', share: 0.2 },
      slots: [{ day: 0, fromMinute: 300, toMinute: 1_080, level: { kind: 'room', roomC: 20 } }],
      preheat: { timeConstantH: 40, wantedC: 20, boostedC: 24, maxHours: 6 },
    },
  ],
})

/** Ends the strategies of other cases: a loop has one running strategy. */
const freeLoops = ({ server }: World) =>
  sql`update strategy set state = 'ended', ended_ms = updated_ms where state = 'running'`.execute(server.db)

async function toDraft(world: World, plan: StrategyPlan = resting): Promise<SeenVersion> {
  await freeLoops(world)
  return seen.parse(await world.callOk('addStrategy', { node: await toArea(world), plan }))
}

const toRunning = async (world: World): Promise<SeenVersion> =>
  seen.parse(await world.callOk('startStrategy', await toDraft(world)))

export const strategiesCases: CasesOf<keyof typeof strategiesEndpoints> = {
  async getStrategies(world) {
    await toDraft(world)
    return {
      nodes: [await world.server.nodeKey('s1')],
      kinds: ['temperature'],
      states: ['draft'],
      limiter: { page: 1, size: 10 },
    }
  },
  getStrategy: async (world) => ({ id: (await toDraft(world)).id }),
  getStrategyHistory: async (world) => ({
    id: (await toDraft(world)).id,
    limiter: { page: 1, size: 10 },
  }),
  previewStrategy: async (world) => ({ node: await toArea(world), plan: await toSequence(world) }),
  addStrategy: async (world) => ({ node: await toArea(world), plan: await toSequence(world) }),
  async updateStrategy(world) {
    const plan = await toSequence(world)
    return { ...(await toDraft(world, plan)), plan: { ...plan, frostC: 10 } }
  },
  startStrategy: (world) => toDraft(world),
  pauseStrategy: toRunning,
  endStrategy: toRunning,
}
