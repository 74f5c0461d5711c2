import { type RawBuilder, sql } from 'kysely'
import {
  type FilterFields,
  flagField,
  instantField,
  numberField,
  textField,
} from '../../../platform/postgres/filter.pg.ts'
import { isSilenced } from '../model/alarm-scope.pg.ts'

/** Rank of a severity, 0 for the worst. */
export const severityRank: RawBuilder<number> = sql`
  array_position(array['critical', 'major', 'minor', 'warning'], alarm.severity)`

const place: FilterFields = {
  kind: textField(sql`alarm.kind`),
  severity: textField(sql`alarm.severity`),
  deviceId: numberField(sql`alarm.device_id`),
  deviceKind: textField(sql`device.kind`),
  deviceName: textField(sql`device.name`),
  imei: textField(sql`device.serial`),
  nestaddr: textField(sql`node.nestaddr`),
}

/** Columns of the text search. */
const words = sql`node.nestaddr, device.name, device.serial`

/** Fields that alarms can be filtered by. */
export const alarmFields = (now: number): FilterFields => ({
  ...place,
  id: numberField(sql`alarm.id`),
  state: textField(sql`alarm.state`),
  active: flagField(sql`(alarm.state like 'active%')`),
  acknowledged: flagField(sql`(alarm.acknowledged_at is not null)`),
  suppressed: flagField(sql`(alarm.suppressed_by is not null)`),
  suppressedBy: numberField(sql`alarm.suppressed_by`),
  silenced: flagField(isSilenced(now)),
  assignee: textField(sql`coalesce(alarm.assignee, '')`),
  comment: textField(sql`alarm.comment`),
  about: textField(sql`lower(concat_ws(' ', ${words}, alarm.comment, alarm.assignee))`),
  raisedAt: instantField(sql`alarm.raised_at`),
  clearedAt: instantField(sql`alarm.cleared_at`),
})

/** Fields that the log can be filtered by. */
export const logFields: FilterFields = {
  ...place,
  alarmId: numberField(sql`alarm.id`),
  at: instantField(sql`event.at`),
  event: textField(sql`event.event`),
  account: textField(sql`event.account`),
  detail: textField(sql`event.detail`),
  about: textField(sql`lower(concat_ws(' ', ${words}, event.account, event.detail))`),
}
