import type { balancingEndpoints } from '@isotherm/contract/endpoints/control/balancing'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { z } from 'zod'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'
import { measureStation } from './plan/measured-station.testkit.ts'

const seen = z
  .object({ id: z.number(), version: z.number() })
  .transform(({ id, version }) => ({ id, version }))
type Seen = z.infer<typeof seen>

/** The area below the first station, whose loop has readings. */
export async function toArea({ server }: World): Promise<string> {
  await measureStation(server)
  return server.nodeKey('a1')
}

/** Ends the campaigns of other cases: a loop has one campaign at a time. */
const freeLoops = ({ server }: World) =>
  sql`update campaign set state = 'accepted', ended_ms = updated_ms
    where state not in ('draft', 'accepted', 'rolled-back', 'discarded')`.execute(server.db)

/** A draft of a loop in which nothing moved since it was planned. */
async function toDraft(world: World): Promise<Seen> {
  await freeLoops(world)
  const node = await toArea(world)
  return seen.parse(
    await world.callOk('addCampaign', { node, mode: { kind: 'temperature', target: 'return' } }),
  )
}

const toExecuting = async (world: World): Promise<Seen> =>
  seen.parse(await world.callOk('approveCampaign', await toDraft(world)))

const toPaused = async (world: World): Promise<Seen> =>
  seen.parse(await world.callOk('pauseCampaign', await toExecuting(world)))

/** A campaign whose round ended as if nothing had changed: a round takes hours to settle. */
async function toVerified(world: World): Promise<Seen> {
  const { id } = await toPaused(world)
  await sql`
    update campaign_round set verification = jsonb_build_object('station', plan -> 'station' -> 'before',
      'indices', plan -> 'indices' -> 'before', 'members', '[]'::jsonb, 'memory', plan -> 'memory')
    where campaign_id = ${id}`.execute(world.server.db)
  const { rows } =
    await sql`update campaign set state = 'verified' where id = ${id} returning id, version`.execute(
      world.server.db,
    )
  return seen.parse(rows[0])
}

export const balancingCases: CasesOf<keyof typeof balancingEndpoints> = {
  getBalance: async (world) => ({ node: await toArea(world) }),
  getBalanceTrend: async (world) => ({
    node: await toArea(world),
    from: Date.now() - HOUR_MS,
    to: Date.now(),
  }),
  async getCampaigns(world) {
    await toDraft(world)
    return {
      nodes: [await world.server.nodeKey('s1')],
      kinds: ['temperature'],
      states: ['draft'],
      limiter: { page: 1, size: 10 },
    }
  },
  getCampaign: async (world) => ({ id: (await toDraft(world)).id }),
  addCampaign: async (world) => ({
    node: await toArea(world),
    mode: { kind: 'temperature', target: 'return' },
  }),
  replanCampaign: toDraft,
  approveCampaign: toDraft,
  discardCampaign: toDraft,
  pauseCampaign: toExecuting,
  resumeCampaign: toPaused,
  trimCampaign: toVerified,
  acceptCampaign: toVerified,
  rollbackCampaign: toExecuting,
  exportCampaign: async (world) => ({ id: (await toDraft(world)).id, language: 'en' }),
}
