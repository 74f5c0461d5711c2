import type { Database } from '../../../../platform/postgres/database.pg.ts'
import { readMemory } from '../../plan/round-memory.ts'
import type { TrimBase } from '../../plan/trim-base.ts'
import { getRound } from './rounds.pg.ts'
import { UnreadablePlan } from './stored-plan.ts'

/** What the last accepted campaign of a station's loop left; undefined of one whose plan another version of the server keeps. */
export async function findTrimBase(
  db: Database,
  stationNodeId: number,
): Promise<(Pick<TrimBase, 'memory'> & { readonly endedAt: number }) | undefined> {
  const last = await db
    .selectFrom('campaign')
    .where('station_node_id', '=', stationNodeId)
    .where('state', '=', 'accepted')
    .orderBy('ended_ms', 'desc')
    .select(['id', 'ended_ms'])
    .limit(1)
    .executeTakeFirst()
  if (last?.ended_ms == null) return undefined
  try {
    const { plan } = await getRound(db, last.id)
    return { memory: readMemory(plan.memory), endedAt: last.ended_ms }
  } catch (error) {
    if (error instanceof UnreadablePlan) return undefined
    throw error
  }
}
