import { alarmKindDefinition, hasThresholds } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmRule } from '@isotherm/contract/alarms/alarms'
import type { InputOf } from '@isotherm/contract/endpoint'
import type {
  addAlarmRule,
  deleteAlarmRules,
  editAlarmRule,
  getAlarmRules,
} from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { findPaths, getPlace, type ResolveNodes, removeRows } from '../model/places.pg.ts'
import { requireHandling } from '../model/policy.ts'
import type { StoredRule } from './rule-book.ts'
import { findRule, insertRule, listRules, type RuleSettings, signalRules, updateRule } from './rules.pg.ts'

/** Rules: when alarms are raised below a node. */
export interface RuleService {
  list(
    caller: Caller,
    query: InputOf<typeof getAlarmRules>,
  ): Promise<{ datalist: AlarmRule[]; total: number }>
  add(call: Call, added: InputOf<typeof addAlarmRule>): Promise<AlarmRule>
  change(call: Call, changed: InputOf<typeof editAlarmRule>): Promise<AlarmRule>
  /** Removes all or none. Returns their ids. */
  remove(call: Call, items: InputOf<typeof deleteAlarmRules>['items']): Promise<number[]>
}

const malformed = (detail: string): AppError => new AppError('request.malformed', { detail })

/** Throws request.malformed for settings that are invalid for the alarm kind. */
function checkSettings(kind: StoredRule['kind'], settings: RuleSettings): void {
  const { source, devices } = alarmKindDefinition(kind)
  const { raiseAt, clearAt, deviceKinds } = settings
  if (hasThresholds(kind) !== (raiseAt !== null) || hasThresholds(kind) !== (clearAt !== null)) {
    throw malformed(`raiseAt: ${kind} ${hasThresholds(kind) ? 'needs both thresholds' : 'has no thresholds'}`)
  }
  if (raiseAt !== null && clearAt !== null) {
    const isWrong = source.when === 'above' ? clearAt > raiseAt : clearAt < raiseAt
    if (isWrong) throw malformed('clearAt: is beyond raiseAt')
  }
  if (source.from === 'subtree' && deviceKinds.length > 0)
    throw malformed('deviceKinds: this alarm counts all devices')
  const foreign = deviceKinds.find((device) => !devices.includes(device))
  if (foreign) throw malformed(`deviceKinds: a ${foreign} cannot have ${kind}`)
}

export function createRuleService(db: Database, resolve: ResolveNodes): RuleService {
  async function readOne(caller: Caller, id: number): Promise<AlarmRule> {
    const rule = await findRule(db, caller, id)
    if (!rule) throw new AppError('alarm-rule.not-found')
    return rule
  }

  return {
    async list(caller, { nodes, filter, limiter }) {
      return listRules(db, caller, { paths: await findPaths(resolve, caller.scope, nodes), filter, limiter })
    },

    async add({ caller, operation }, { node, kind, ...settings }) {
      requireHandling(caller)
      checkSettings(kind, settings)
      const place = await getPlace(db, resolve, caller.scope, node)
      const id = await operate(db, operation, async (transaction) => {
        await signalRules(transaction)
        return insertRule(transaction, { kind, ...place, ...settings })
      })
      return readOne(caller, id)
    },

    async change({ caller, operation }, { id, version, ...settings }) {
      requireHandling(caller)
      const { kind } = await readOne(caller, id)
      checkSettings(kind, settings)
      await operate(db, operation, async (transaction) => {
        const target = { table: 'alarm_rule', entity: 'alarm-rule', id, version } as const
        if (!(await lockVersion(transaction, target))) throw new AppError('alarm-rule.not-found')
        await updateRule(transaction, id, settings)
        await signalRules(transaction)
      })
      return readOne(caller, id)
    },

    remove({ caller, operation }, items) {
      requireHandling(caller)
      return operate(db, operation, async (transaction) => {
        for (const { id, version } of items.toSorted((left, right) => left.id - right.id)) {
          const target = { table: 'alarm_rule', entity: 'alarm-rule', id, version } as const
          if (!(await lockVersion(transaction, target))) throw new AppError('alarm-rule.not-found')
        }
        const ids = items.map(({ id }) => id)
        await removeRows(transaction, 'alarm_rule', ids)
        await signalRules(transaction)
        return ids
      })
    },
  }
}
