import type { MemberExclusion } from '@isotherm/contract/balancing/campaign'
import { sql } from 'kysely'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import { STILL_PCT } from '../../measurements/measured-loop.ts'
import type {} from './tables.ts'

/** Valves for which campaigns of a loop aborted, and why the next campaign leaves them out. */
export type Culprits = ReadonlyMap<number, Culprit>
type Culprit = Extract<MemberExclusion, 'stuck' | `${string}-before`>

/**
 * Culprits of a station's loop since an instant, Unix ms: the valves of starved buildings, also those that a campaign took
 * back by itself, the valves that did not answer, and those that answered and did not arrive.
 * A valve is none any more once it was commanded by hand, or has moved and confirmed a later command. The rollback of a
 * campaign shows nothing about the buildings that it starved.
 */
export async function findCulprits(db: Database, stationNodeId: number, since: number): Promise<Culprits> {
  const from = Math.floor(since)
  const { rows } = await sql<{ deviceId: number; kind: Culprit }>`
    with aborted as (
      select campaign.id, campaign.abort, max(event.at_ms) as at_ms
      from campaign join campaign_event event on event.campaign_id = campaign.id and event.event = 'abort'
      where station_node_id = ${stationNodeId} and campaign.abort ->> 'kind' in ('starved', 'unanswered')
      group by campaign.id having max(event.at_ms) > ${from}
    ), culprit as (
      select id, starved.device::bigint as device_id, at_ms, 'starved-before' as kind
      from aborted cross join lateral jsonb_array_elements_text(abort -> 'deviceIds') starved (device)
      where abort ->> 'kind' = 'starved'
      union all
      select aborted.id, command.device_id, command.created_ms,
        case when step.missed @> to_jsonb(command.device_id) then 'stuck' else 'unanswered-before' end
      from aborted join campaign_step step on step.campaign_id = aborted.id and step.kind in ('open', 'close')
        join command using (batch_id)
      where abort ->> 'kind' = 'unanswered' and command.state in ('failed', 'expired', 'unknown')
      union all
      select step.campaign_id, (move ->> 'deviceId')::bigint, event.at_ms, 'starved-before'
      from campaign join campaign_step step on step.campaign_id = campaign.id and step.kind = 'take-back'
        join campaign_event event on event.campaign_id = campaign.id and event.event = 'take-back'
        cross join lateral jsonb_array_elements(step.moves) move
      where station_node_id = ${stationNodeId} and event.at_ms > ${from}
        -- Others opened again in part, or were taken back because they had opened for the sake of these closings.
        and exists (
          select from campaign_step closing cross join lateral jsonb_array_elements(closing.moves) closed
          where closing.campaign_id = step.campaign_id and closing.round = step.round and closing.kind = 'close'
            and closed ->> 'deviceId' = move ->> 'deviceId'
            and (closed ->> 'fromPct')::double precision <= (move ->> 'toPct')::double precision)
    )
    select culprit.device_id as "deviceId", culprit.kind from culprit
    where not exists (
      select from command
      where command.device_id = culprit.device_id and command.created_ms > culprit.at_ms
        and command.state = 'confirmed'
        and (command.priority in ('manual', 'emergency') or abs(command.opening_pct - command.previous_pct) > ${STILL_PCT}::double precision)
        and (culprit.kind <> 'starved-before' or not exists (
          select from campaign_step own where own.campaign_id = culprit.id and own.batch_id = command.batch_id))
    )
    order by culprit.at_ms`.execute(db)
  return new Map(rows.map(({ deviceId, kind }) => [deviceId, kind]))
}
