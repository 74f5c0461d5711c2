import type { Transaction } from 'kysely'
import type { Tables } from '../../../../platform/tables.ts'
import { holdRow, type LeasedRows, LostLease } from './row-lease.pg.ts'

/** The campaign is another replica's now, or somebody changed it: whoever notices leaves it. */
export class LostCampaign extends LostLease {
  override readonly name = 'LostCampaign'
}

export const runningCampaigns: LeasedRows = {
  table: 'campaign',
  states: ['executing', 'paused', 'settling', 'rolling-back'],
}

/** Holds the campaign for the transaction at hand. Throws LostCampaign. */
export async function holdCampaign(
  transaction: Transaction<Tables>,
  id: number,
  worker: string,
): Promise<void> {
  if (!(await holdRow(transaction, runningCampaigns, id, worker))) throw new LostCampaign()
}
