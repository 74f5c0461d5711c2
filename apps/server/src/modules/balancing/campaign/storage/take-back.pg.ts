import { sql } from 'kysely'
import { operate } from '../../../../platform/operation/operate.pg.ts'
import type { Operation } from '../../../../platform/operation/operation.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import { type LeasedCampaign, LostCampaign, lockLeased, recordEvent } from './campaign-changes.pg.ts'
import { endGiven, insertSteps, type StoredStep } from './campaign-rounds.pg.ts'
import { campaignTransitions } from './state-machine.ts'

/** Valves that are taken back, and the wave of the present round after which they are. */
export interface TakeBack {
  readonly after: number
  readonly moves: StoredStep['moves']
  /** Waves that wait and are not sent any more. */
  readonly dropped: readonly StoredStep[]
  /** Unix ms. */
  readonly at: number
}

/**
 * Stores a wave that takes valves back as the next one of the present round, as an operation of the account for which the
 * campaign acts. A settling campaign executes again. Throws LostCampaign.
 */
export const putTakeBack = (
  db: Database,
  { id, worker, state, round }: LeasedCampaign,
  { after, moves, dropped, at }: TakeBack,
  operation: Operation,
): Promise<void> =>
  operate(db, operation, async (transaction) => {
    const next = campaignTransitions[state]['take-back']
    if (!next) throw new LostCampaign()
    await lockLeased(transaction, id, worker)
    const { numUpdatedRows } = await transaction
      .updateTable('campaign')
      .set({ state: next, updated_ms: at, look_ms: at, settled_ms: null })
      .where('id', '=', id)
      .where('state', '=', state)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new LostCampaign()
    await endGiven(transaction, id)
    await transaction
      .updateTable('campaign_step')
      .set({ state: 'dropped' })
      .where('campaign_id', '=', id)
      .where('round', '=', round)
      .where('state', '=', 'waiting')
      .where('step', 'in', [0, ...dropped.map(({ step }) => step)])
      .execute()
    // In two steps, because no two waves may have the same number in between.
    const isLater = sql`campaign_id = ${id} and round = ${round}`
    await sql`update campaign_step set step = -step where ${isLater} and step > ${after}`.execute(transaction)
    await sql`update campaign_step set step = 1 - step where ${isLater} and step < 0`.execute(transaction)
    await insertSteps(transaction, { id, round, first: after + 1 }, [{ kind: 'take-back', moves }])
    if (state === 'executing') await recordEvent(transaction, id, 'wave-ended', { account: '', at })
    await recordEvent(transaction, id, 'take-back', { account: '', at })
  })
