import type { alarmRulesEndpoints } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import type { alarmsEndpoints } from '@isotherm/contract/endpoints/monitoring/alarms'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { ListDeliveries } from './notices/deliveries.pg.ts'
import type { TargetService } from './notices/target-service.pg.ts'
import type { TestTarget } from './notices/target-test.pg.ts'
import type { RuleService } from './rules/rule-service.ts'
import type { SilenceService } from './rules/silence-service.pg.ts'
import type { AlarmService } from './service.ts'

export interface AlarmServices {
  readonly alarms: AlarmService
  readonly rules: RuleService
  readonly silences: SilenceService
  readonly targets: TargetService
  readonly testTarget: TestTarget
  readonly listDeliveries: ListDeliveries
}

export type AlarmHandlers = HandlersOf<keyof typeof alarmsEndpoints | keyof typeof alarmRulesEndpoints>

export const createAlarmHandlers = ({
  alarms,
  rules,
  silences,
  targets,
  testTarget,
  listDeliveries,
}: AlarmServices): AlarmHandlers => ({
  getAlarms: (input, { caller }) => alarms.list(caller, input),
  countAlarms: (input, { caller }) => alarms.count(caller, input),
  editAlarm: (input, call) => alarms.edit(call, input),
  editAlarms: (input, call) => alarms.editAll(call, input),
  getAlarmLog: (input, { caller }) => alarms.listLog(caller, input),
  exportAlarmLog: (input, call) => alarms.exportLog(call, input),
  getAlarmRules: (input, { caller }) => rules.list(caller, input),
  addAlarmRule: (input, call) => rules.add(call, input),
  editAlarmRule: (input, call) => rules.change(call, input),
  deleteAlarmRules: async ({ items }, call) => ({ ids: await rules.remove(call, items) }),
  getAlarmAbilities: ({ node }, { caller }) => silences.findAbilities(caller, node),
  getAlarmSilences: (input, { caller }) => silences.list(caller, input),
  addAlarmSilence: (input, call) => silences.add(call, input),
  endAlarmSilence: (input, call) => silences.end(call, input),
  getAlarmTargets: (input, { caller }) => targets.list(caller, input),
  addAlarmTarget: (input, call) => targets.add(call, input),
  editAlarmTarget: (input, call) => targets.change(call, input),
  getAlarmDeliveries: (input, { caller }) => listDeliveries(caller, input),
  testAlarmTarget: ({ id }, { caller }) => testTarget(caller, id),
  deleteAlarmTargets: async ({ items }, call) => ({ ids: await targets.remove(call, items) }),
})
