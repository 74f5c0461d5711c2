import { sql, type Transaction } from 'kysely'
import { noteChanges } from '../../../platform/operation/note-changes.pg.ts'
import type { Tables } from '../../../platform/tables.ts'

/** An opening asked of a valve, and when, Unix ms. */
export interface AskedOpening {
  readonly deviceId: number
  readonly openingPct: number
  readonly at: number
}

/** What is noted of a valve now. */
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

interface Noted extends LastOpening, Omit<Before, 'beforeAt'> {
  readonly isNewer: boolean
}

/**
 * Notes the openings last asked of valves, each once, and in the operation log of the transaction what they were before. An
 * opening asked earlier than the one that is known changes nothing. It is no new version of the device: who
 * edits it has not been overtaken by who turns it.
 */
export async function noteOpenings(
  transaction: Transaction<Tables>,
  asked: readonly AskedOpening[],
): Promise<readonly LastOpening[]> {
  // Locked in order of id, as takeCommandRevs does. Two statements: of one the planner would compare every row of
  // what was with every row of what is asked.
  const { rows: before } = await sql<Before>`
    select device.id as "deviceId", device.version, node.path || 'd' || device.id || '/' as path,
      device.last_open_set_pct as "beforePct",
      (extract(epoch from device.last_open_set_at) * 1000)::double precision as "beforeAt"
    from device join node on node.id = device.node_id
    where device.id = any(${asked.map(({ deviceId }) => deviceId)}::bigint[])
    order by device.id for no key update of device`.execute(transaction)
  const given = new Map(asked.map((opening) => [opening.deviceId, opening]))
  const rows = before.map(({ beforeAt, ...row }): Noted => {
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
  await noteChanges(transaction, 'device', changes)
  return rows.map(({ deviceId, lastOpenSetPct, lastOpenSetAt }) => ({
    deviceId,
    lastOpenSetPct,
    lastOpenSetAt: Math.round(lastOpenSetAt),
  }))
}
