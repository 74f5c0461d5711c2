import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isBelow, isDeviceBelow } from '../../../platform/scope/scope.pg.ts'
import { type Scope, splitPaths } from '../../../platform/scope/scope.ts'

/** Alarms joined with their device, if any, and their current node. */
export const placedAlarms = sql`
  alarm left join device on device.id = alarm.device_id
  join node on node.id = coalesce(device.node_id, alarm.node_id)`

/** Condition: the alarm is below one of `paths`. For queries of placedAlarms. */
export function isAlarmBelow(paths: readonly string[]): RawBuilder<SqlBool> {
  const { nodePaths } = splitPaths(paths)
  return sql<SqlBool>`((alarm.device_id is null and ${isBelow('node.path', nodePaths)})
    or (alarm.device_id is not null and ${isDeviceBelow(paths)}))`
}

/** Condition: the alarm is inside the scope. For queries of placedAlarms. */
export const isAlarmInScope = (scope: Scope): RawBuilder<SqlBool> =>
  scope.kind === 'all' ? sql<SqlBool>`true` : isAlarmBelow(scope.paths)

const silencesAt = (at: number): RawBuilder<unknown> => sql`
  from alarm_silence silence join node silenced on silenced.id = silence.node_id
  where silence.ended_at is null and silence.until_at > ${new Date(at)}
    and starts_with(node.path, silenced.path)`

/** Condition: a silence covers `node` at an instant (Unix ms), so that no notifications are sent. */
export const isSilenced = (at: number): RawBuilder<SqlBool> => sql<SqlBool>`exists (select ${silencesAt(at)})`

/** End of the silence on `node`; null without one. */
export const silencedUntil = (at: number): RawBuilder<Date | null> =>
  sql<Date | null>`(select max(silence.until_at) ${silencesAt(at)})`
