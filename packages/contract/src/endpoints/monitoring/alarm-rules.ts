import { z } from 'zod'
import { alarmKind, alarmSettings, alarmSeverity } from '../../alarms/alarm-kinds.ts'
import { alarmDelivery, alarmRule, alarmSilence, alarmTarget, targetTest } from '../../alarms/alarms.ts'
import {
  dutyTimes,
  isAddressOf,
  isAnyAddress,
  isSecretOf,
  MAX_ESCALATION_MIN,
  type NoticeChannel,
  noticeChannel,
  noticeLanguage,
  reportTimes,
} from '../../alarms/notice-channels.ts'
import { deviceKinds } from '../../devices.ts'
import { defineEndpoint } from '../../endpoint.ts'
import { instant, trimmedName, version } from '../../entity.ts'
import { filter, limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { nodeKey } from '../../tree.ts'
import { handlingAlarms, watchingAlarms } from './alarms.ts'

const common = { backend: 'ht-api', method: 'POST' } as const
const page = { filter: filter.default([]), limiter: limiter.default({ page: 1, size: 100 }) }
const listErrors = ['node.not-found', 'filter.unknown-field', 'filter.bad-pattern'] as const
const node = refersTo('node', nodeKey)
const nodes = z.array(node).max(2_000).default([])
const ruleId = refersTo('alarm-rule', z.number().int().positive())
const silenceId = refersTo('alarm-silence', z.number().int().positive())
const targetId = refersTo('alarm-target', z.number().int().positive())

export const getAlarmRules = defineEndpoint({
  ...common,
  path: '/Alarm/GetAlarmRules',
  summary: 'Alarm rules below nodes, by kind and place. Without a rule the default rule of the kind applies.',
  access: watchingAlarms,
  effect: 'reads',
  /** Fields: id, kind, severity, enabled, nestaddr. */
  input: z.object({ nodes, ...page }),
  output: pageOf(alarmRule),
  errors: [...listErrors],
})

export const addAlarmRule = defineEndpoint({
  ...common,
  path: '/Alarm/AddAlarmRule',
  summary: 'Adds a rule that states when a kind of alarm is raised below a node.',
  access: handlingAlarms,
  effect: 'changes',
  input: z.object({ kind: alarmKind, node, deviceKinds: deviceKinds.default([]), ...alarmSettings.shape }),
  output: alarmRule,
  errors: ['node.not-found'],
})

export const editAlarmRule = defineEndpoint({
  ...common,
  path: '/Alarm/EditAlarmRule',
  summary: 'Changes a rule. Its kind and node cannot be changed.',
  access: handlingAlarms,
  effect: 'changes',
  input: z.object({ id: ruleId, version, deviceKinds, ...alarmSettings.shape }),
  output: alarmRule,
  errors: ['alarm-rule.not-found', 'entity.stale'],
})

export const deleteAlarmRules = defineEndpoint({
  ...common,
  path: '/Alarm/DeleteAlarmRules',
  summary: 'Removes rules, all or none. Their alarms are judged by the rules that remain.',
  access: handlingAlarms,
  effect: 'changes',
  input: z.object({
    items: z
      .array(z.object({ id: ruleId, version }))
      .min(1)
      .max(100),
  }),
  output: z.object({ ids: z.array(z.number().int()) }),
  errors: ['alarm-rule.not-found', 'entity.stale'],
})

export const getAlarmAbilities = defineEndpoint({
  ...common,
  path: '/Alarm/GetAlarmAbilities',
  summary:
    'What the caller can do with the alarms of a node: nothing if the node is only above their grants.',
  access: watchingAlarms,
  effect: 'reads',
  input: z.object({ node }),
  output: z.object({ node: nodeKey, abilities: z.array(z.enum(['silence'])) }),
  errors: ['node.not-found'],
})

export const getAlarmSilences = defineEndpoint({
  ...common,
  path: '/Alarm/GetAlarmSilences',
  summary: 'Current silences that affect the nodes, ordered by their end.',
  access: watchingAlarms,
  effect: 'reads',
  input: z.object({ nodes, limiter: page.limiter }),
  output: pageOf(alarmSilence),
  errors: ['node.not-found'],
})

export const addAlarmSilence = defineEndpoint({
  ...common,
  path: '/Alarm/AddAlarmSilence',
  summary: 'Stops notifications of alarms below a node for at most 90 days. The alarms are still stored.',
  access: handlingAlarms,
  effect: 'changes',
  input: z.object({ node, until: instant, reason: z.string().trim().min(1).max(200) }),
  output: alarmSilence,
  errors: ['node.not-found'],
})

export const endAlarmSilence = defineEndpoint({
  ...common,
  path: '/Alarm/EndAlarmSilence',
  summary: 'Ends a silence early. Alarms that are still active are notified then.',
  access: handlingAlarms,
  effect: 'changes',
  input: z.object({ id: silenceId, version }),
  output: z.object({ id: z.number().int() }),
  errors: ['alarm-silence.not-found', 'entity.stale'],
})

const targetFields = {
  name: trimmedName,
  /** A URL; `sms:` and numbers; `mailto:` and addresses. Must fit the channel. */
  url: z
    .string()
    .max(500)
    .refine(isAnyAddress, 'is no address of a channel, or has user info before its host, which is not sent'),
  language: noticeLanguage.default('zh'),
  afterMin: z.number().int().min(0).max(MAX_ESCALATION_MIN).default(0),
  duty: dutyTimes.optional(),
  /** Needs the permission to read statistics. */
  report: reportTimes.optional(),
  severities: z.array(alarmSeverity).max(alarmSeverity.options.length).default([]),
  kinds: z.array(alarmKind).max(alarmKind.options.length).default([]),
  enabled: z.boolean().default(true),
}
/** Signing secret; empty for a channel without one. */
const secret = z.string().max(200)
/** An address or secret that does not fit the channel. */
const fits = (
  { channel, url, secret: given }: { channel: NoticeChannel; url: string; secret: string },
  context: z.RefinementCtx,
): void => {
  if (!isAddressOf(channel, url))
    context.addIssue({ code: 'custom', path: ['url'], message: 'does not fit the channel' })
  if (!isSecretOf(channel, given))
    context.addIssue({ code: 'custom', path: ['secret'], message: 'does not fit the channel' })
}

export const getAlarmTargets = defineEndpoint({
  ...common,
  path: '/Alarm/GetAlarmTargets',
  summary: 'Alarm targets with the state of their deliveries.',
  access: handlingAlarms,
  effect: 'reads',
  input: z.object({ nodes, limiter: page.limiter }),
  output: pageOf(alarmTarget),
  errors: ['node.not-found'],
})

export const addAlarmTarget = defineEndpoint({
  ...common,
  path: '/Alarm/AddAlarmTarget',
  summary:
    'Adds an alarm target: alarms below a node are sent to a webhook, group robot, telephone or mailbox, repeated until they arrive.',
  access: handlingAlarms,
  effect: 'changes',
  apiKeys: 'refused',
  input: z
    .object({ node, channel: noticeChannel.default('webhook'), ...targetFields, secret: secret.default('') })
    .superRefine(fits),
  output: alarmTarget,
  errors: [
    'access.denied',
    'node.not-found',
    'alarm-target.forbidden',
    'alarm-target.hidden-value',
    'alarm-target.too-many',
  ],
})

export const editAlarmTarget = defineEndpoint({
  ...common,
  path: '/Alarm/EditAlarmTarget',
  summary: 'Changes a target. The URL as shown, and an absent secret, mean no change.',
  access: handlingAlarms,
  effect: 'changes',
  apiKeys: 'refused',
  input: z.object({ id: targetId, version, ...targetFields, secret: secret.optional() }),
  output: alarmTarget,
  errors: [
    'access.denied',
    'alarm-target.not-found',
    'alarm-target.forbidden',
    'alarm-target.hidden-value',
    'alarm-target.secret-needed',
    'entity.stale',
  ],
})

export const getAlarmDeliveries = defineEndpoint({
  ...common,
  path: '/Alarm/GetAlarmDeliveries',
  summary: 'Messages to an alarm target with their state, the newest first; they are retained for 30 days.',
  access: handlingAlarms,
  effect: 'reads',
  input: z.object({ id: targetId, limiter: page.limiter }),
  output: pageOf(alarmDelivery),
  errors: ['alarm-target.not-found'],
})

export const deleteAlarmTargets = defineEndpoint({
  ...common,
  path: '/Alarm/DeleteAlarmTargets',
  summary: 'Removes targets. Waiting messages are dropped.',
  access: handlingAlarms,
  effect: 'changes',
  input: z.object({
    items: z
      .array(z.object({ id: targetId, version }))
      .min(1)
      .max(100),
  }),
  output: z.object({ ids: z.array(z.number().int()) }),
  errors: ['alarm-target.not-found', 'entity.stale'],
})

export const testAlarmTarget = defineEndpoint({
  ...common,
  path: '/Alarm/TestAlarmTarget',
  summary:
    'Sends one signed test message to a target, even to a disabled one, and returns the result. Concurrent tests of one target share one message.',
  access: handlingAlarms,
  effect: 'changes',
  input: z.object({ id: targetId }),
  output: targetTest,
  errors: ['alarm-target.not-found'],
})

export const alarmRulesEndpoints = {
  getAlarmRules,
  addAlarmRule,
  editAlarmRule,
  deleteAlarmRules,
  getAlarmAbilities,
  getAlarmSilences,
  addAlarmSilence,
  endAlarmSilence,
  getAlarmTargets,
  addAlarmTarget,
  editAlarmTarget,
  deleteAlarmTargets,
  testAlarmTarget,
  getAlarmDeliveries,
} as const
