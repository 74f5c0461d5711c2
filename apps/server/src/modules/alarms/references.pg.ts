import { sql } from 'kysely'
import type { ReferenceCheck, ReferencesOf } from '../../platform/http/references.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { isInScope, isVisible } from '../../platform/scope/scope.pg.ts'
import { isAlarmInScope, placedAlarms } from './model/alarm-scope.pg.ts'
import type { PlacedTable } from './model/places.pg.ts'

type Name = 'alarm' | 'alarm-rule' | 'alarm-silence' | 'alarm-target'

/** Checks references to alarms, rules, silences and targets by their place in the tree. */
export function createAlarmsReferences(db: Database): ReferencesOf<Name> {
  const checkPlaced =
    (table: PlacedTable): ReferenceCheck =>
    async ({ scope }, values, effect) => {
      const ids = values.filter((value) => typeof value === 'number')
      // Rules and silences of nodes above apply below and are visible there.
      const isOpen = effect === 'reads' ? isVisible('node.path', scope) : isInScope('node.path', scope)
      const { rows } = await sql<{ count: number }>`
        select count(*) from ${sql.table(table)} placed join node on node.id = placed.node_id
        where placed.id = any(${ids}::bigint[]) and ${isOpen}`.execute(db)
      return rows[0]?.count === values.length
    }

  return {
    async alarm({ scope }, values) {
      const ids = values.filter((value) => typeof value === 'number')
      const { rows } = await sql<{ count: number }>`
        select count(*) from ${placedAlarms}
        where alarm.id = any(${ids}::bigint[]) and ${isAlarmInScope(scope)}`.execute(db)
      return rows[0]?.count === values.length
    },
    'alarm-rule': checkPlaced('alarm_rule'),
    'alarm-silence': checkPlaced('alarm_silence'),
    'alarm-target': checkPlaced('alarm_target'),
  }
}
