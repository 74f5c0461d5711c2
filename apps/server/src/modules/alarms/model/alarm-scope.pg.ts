import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isBelow, isDeviceBelow } from '../../../platform/scope/scope.pg.ts'
import { type Scope, splitPaths } from '../../../platform/scope/scope.ts'

/** Alarms with their device, when they are of one, and the node they are at, by their places of today. */
export const placedAlarms = sql`
  alarm left join device on device.id = alarm.device_id
  join node on node.id = coalesce(device.node_id, alarm.node_id)`

/** Condition that an alarm stands below one of `paths`; for queries of placedAlarms. */
export function isAlarmBelow(paths: readonly string[]): RawBuilder<SqlBool> {
  const { nodePaths } = splitPaths(paths)
  return sql<SqlBool>`((alarm.device_id is null and ${isBelow('node.path', nodePaths)})
    or (alarm.device_id is not null and ${isDeviceBelow(paths)}))`
}

/** Condition that an alarm is inside the scope; for queries of placedAlarms. */
export const isAlarmInScope = (scope: Scope): RawBuilder<SqlBool> =>
  scope.kind === 'all' ? sql<SqlBool>`true` : isAlarmBelow(scope.paths)

const silencesAt = (at: number): RawBuilder<unknown> => sql`
  from alarm_silence silence join node silenced on silenced.id = silence.node_id
  where silence.ended_at is null and silence.until_at > ${new Date(at)}
    and starts_with(node.path, silenced.path)`

/** Condition that nobody is to be notified of what is at `node` at an instant (Unix ms). */
export const isSilenced = (at: number): RawBuilder<SqlBool> => sql<SqlBool>`exists (select ${silencesAt(at)})`

/** Until when that is so; null when it is not. */
export const silencedUntil = (at: number): RawBuilder<Date | null> =>
  sql<Date | null>`(select max(silence.until_at) ${silencesAt(at)})`
