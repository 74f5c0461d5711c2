import { sql, type Transaction } from 'kysely'
import { noteChanges } from '../../platform/operation/note-changes.pg.ts'
import type { Tables } from '../../platform/tables.ts'

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

interface Noted extends LastOpening {
  readonly path: string
  readonly beforePct: number | null
  readonly version: number
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
  // Locked in order of id, as takeCommandRevs does.
  const { rows } = await sql<Noted>`
    with given as (
      select * from unnest(${asked.map(({ deviceId }) => deviceId)}::bigint[],
        ${asked.map(({ openingPct }) => openingPct)}::double precision[],
        ${asked.map(({ at }) => new Date(at))}::timestamptz[]) given (id, pct, at)
    ), before as (
      select device.id, device.version, node.path || 'd' || device.id || '/' as path,
        device.last_open_set_pct as pct, device.last_open_set_at as at
      from device join node on node.id = device.node_id
      where device.id in (select id from given) order by device.id for no key update of device
    ), changed as (
      update device set last_open_set_pct = given.pct, last_open_set_at = given.at
      from given join before using (id)
      where device.id = given.id and (before.at is null or before.at <= given.at)
      returning device.id
    )
    select before.id as "deviceId", before.version, before.path, before.pct as "beforePct",
      changed.id is not null as "isNewer",
      case when changed.id is null then before.pct else given.pct end as "lastOpenSetPct",
      (extract(epoch from case when changed.id is null then before.at else given.at end) * 1000)::double precision
        as "lastOpenSetAt"
    from before join given using (id) left join changed using (id) order by before.id`.execute(transaction)
  const changes = rows
    .filter(({ isNewer, beforePct, lastOpenSetPct }) => isNewer && beforePct !== lastOpenSetPct)
    .map(({ deviceId: id, path, version, beforePct, lastOpenSetPct }) => ({
      ...{ id, path, version },
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
