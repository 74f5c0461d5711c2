import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../../platform/app-error.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../../platform/tables.ts'
import type {} from './tables.ts'

/**
 * Throws campaign.outdated when, after the round was planned, somebody ordered a valve that is still to be moved, or the pump that
 * it sets, or another campaign moved the loop: the plan is of a loop that is no more.
 */
export async function requireUntouched(
  transaction: Transaction<Tables>,
  { id, round }: { readonly id: number; readonly round: number },
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select device.name from campaign join campaign_step step on step.campaign_id = campaign.id
      cross join lateral jsonb_to_recordset(step.moves) move ("deviceId" bigint)
      join device on device.id = move."deviceId"
    where campaign.id = ${id} and step.round = ${round} and step.state = 'waiting'
      and device.last_open_set_at > to_timestamp(campaign.planned_ms / 1000.0)
    union all
    select device.name from campaign join campaign_step step on step.campaign_id = campaign.id
      join device on device.id = (step.pump ->> 'deviceId')::bigint
      join command on command.device_id = device.id and command.created_ms > campaign.planned_ms
        and command.batch_id is distinct from step.batch_id
    where campaign.id = ${id} and step.round = ${round}
    union all
    select 'campaign ' || other.id from campaign join campaign other using (station_node_id)
      join campaign_event given on given.campaign_id = other.id and given.event = 'wave-given'
    where campaign.id = ${id} and other.id <> campaign.id and given.at_ms > campaign.planned_ms
    limit 1`.execute(transaction)
  const [row] = rows
  if (row) throw new AppError('campaign.outdated', { device: row.name })
}

/** Commands of a campaign to these valves that wait to be brought to them. */
export async function listQueued(
  db: Database,
  campaignId: number,
  deviceIds: readonly number[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select command.id from campaign_step step join command using (batch_id)
    where step.campaign_id = ${campaignId} and command.device_id = any(${[...deviceIds]}::bigint[])
      and command.state = 'queued'`.execute(db)
  return rows.map(({ id }) => id)
}

/** Valves of a campaign that somebody else ordered since it ordered them last: people know better. */
export async function listOrderedSince(db: Database, campaignId: number): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ deviceId: number }>`
    select device.id as "deviceId" from campaign_step step join command using (batch_id)
      join device on device.id = command.device_id
    where step.campaign_id = ${campaignId} group by device.id
    having round(extract(epoch from device.last_open_set_at) * 1000) > max(command.created_ms)`.execute(db)
  return new Set(rows.map(({ deviceId }) => deviceId))
}

/** Whether somebody else told the pump of a campaign anything since it told it something last. */
export async function isHeadOrderedSince(
  db: Database,
  campaignId: number,
  deviceId: number,
): Promise<boolean> {
  const { rows } = await sql<{ isSince: boolean }>`
    select coalesce(max(rev) > max(rev) filter (where batch_id in (
      select batch_id from campaign_step where campaign_id = ${campaignId} and batch_id is not null)), false) as "isSince"
    from command where device_id = ${deviceId}`.execute(db)
  return rows[0]?.isSince ?? false
}
