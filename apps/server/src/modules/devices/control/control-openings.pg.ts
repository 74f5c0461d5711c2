import { sql, type Transaction } from 'kysely'
import { recordChanges } from '../../../platform/operation/record-changes.pg.ts'
import type { Tables } from '../../../platform/tables.ts'

/** An opening that a valve was commanded to. `at`: Unix ms. */
export interface CommandedOpening {
  readonly deviceId: number
  readonly openingPct: number
  readonly at: number
}

/** The last commanded opening of a valve, as stored. */
export interface LastOpening {
  readonly deviceId: number
  readonly lastOpenSetPct: number
  readonly lastOpenSetAt: number
}

interface Before {
  readonly deviceId: number
  readonly path: string
  readonly version: number
  readonly beforePct: number | null
  readonly beforeAt: number | null
}

interface OpeningChange extends LastOpening, Omit<Before, 'beforeAt'> {
  readonly isNewer: boolean
}

/**
 * Stores the last commanded openings of valves, one for each valve, and writes the earlier values to the operation log
 * of the transaction. An opening that is older than the stored one changes nothing. The device keeps its version, so
 * that a command does not conflict with an edit of the device.
 */
export async function recordOpenings(
  transaction: Transaction<Tables>,
  commanded: readonly CommandedOpening[],
): Promise<readonly LastOpening[]> {
  // Locked in order of id, as raiseCommandRevs does. Two statements: in one, the planner would compare every stored row
  // with every commanded row.
  const { rows: before } = await sql<Before>`
    select device.id as "deviceId", device.version, node.path || 'd' || device.id || '/' as path,
      device.last_open_set_pct as "beforePct",
      (extract(epoch from device.last_open_set_at) * 1000)::double precision as "beforeAt"
    from device join node on node.id = device.node_id
    where device.id = any(${commanded.map(({ deviceId }) => deviceId)}::bigint[])
    order by device.id for no key update of device`.execute(transaction)
  const given = new Map(commanded.map((opening) => [opening.deviceId, opening]))
  const rows = before.map(({ beforeAt, ...row }): OpeningChange => {
    const opening = given.get(row.deviceId)
    const isNewer = opening !== undefined && (beforeAt === null || Math.round(beforeAt) <= opening.at)
    return {
      ...row,
      isNewer,
      lastOpenSetPct: (isNewer ? opening.openingPct : row.beforePct) ?? 0,
      lastOpenSetAt: (isNewer ? opening.at : beforeAt) ?? 0,
    }
  })
  const newer = rows.filter(({ isNewer }) => isNewer)
  await sql`
    update device set last_open_set_pct = given.pct, last_open_set_at = given.at
    from unnest(${newer.map(({ deviceId }) => deviceId)}::bigint[],
      ${newer.map(({ lastOpenSetPct }) => lastOpenSetPct)}::double precision[],
      ${newer.map(({ lastOpenSetAt }) => new Date(lastOpenSetAt))}::timestamptz[]) given (id, pct, at)
    where device.id = given.id`.execute(transaction)
  const changes = rows
    .filter(({ isNewer, beforePct, lastOpenSetPct }) => isNewer && beforePct !== lastOpenSetPct)
    .map(({ deviceId: id, path, version, beforePct, lastOpenSetPct }) => ({
      id,
      path,
      version,
      before: { last_open_set_pct: beforePct },
      after: { last_open_set_pct: lastOpenSetPct },
    }))
  await recordChanges(transaction, 'device', changes)
  return rows.map(({ deviceId, lastOpenSetPct, lastOpenSetAt }) => ({
    deviceId,
    lastOpenSetPct,
    lastOpenSetAt: Math.round(lastOpenSetAt),
  }))
}
