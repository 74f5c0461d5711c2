import {
  type AlarmKind,
  type AlarmSettings,
  alarmHours,
  alarmKindDefinition,
  alarmSeason,
  hasThresholds,
  MAX_ALARM_DELAY_S,
} from '@isotherm/contract/alarms/alarm-kinds'
import type { DeviceKind } from '@isotherm/contract/devices'

/** Form values of a rule. Numbers may be missing and days invalid. Delays in minutes. */
export interface RuleDraft {
  readonly kind: AlarmKind
  readonly deviceKinds: readonly DeviceKind[]
  readonly enabled: boolean
  readonly severity: AlarmSettings['severity']
  readonly raiseAt: number | null
  readonly clearAt: number | null
  readonly raiseAfterMin: number | null
  readonly clearAfterMin: number | null
  readonly season: { readonly from: string; readonly to: string } | null
  readonly hours: { readonly from: number | null; readonly to: number | null } | null
}

export type RuleField = 'raiseAt' | 'clearAt' | 'raiseAfter' | 'clearAfter' | 'season' | 'hours'
/** Errors of a field; the texts are in the locales. */
export type RuleFault =
  | 'number'
  | 'mustNotBeAbove'
  | 'mustNotBeBelow'
  | 'delay'
  | 'day'
  | 'hourNeeded'
  | 'noHour'

const MINUTE_S = 60

/** The form values of the settings of a rule, or of the default rule of a kind. */
export const toDraft = (
  kind: AlarmKind,
  settings: AlarmSettings,
  deviceKinds: readonly DeviceKind[],
): RuleDraft => ({
  kind,
  deviceKinds,
  enabled: settings.enabled,
  severity: settings.severity,
  raiseAt: settings.raiseAt,
  clearAt: settings.clearAt,
  season: settings.season,
  hours: settings.hours,
  raiseAfterMin: settings.raiseAfterS / MINUTE_S,
  clearAfterMin: settings.clearAfterS / MINUTE_S,
})

const toSeconds = (minutes: number): number => Math.round(minutes * MINUTE_S)

const isDelay = (minutes: number | null): boolean =>
  minutes !== null && minutes >= 0 && toSeconds(minutes) <= MAX_ALARM_DELAY_S

function checkThresholds({ kind, raiseAt, clearAt }: RuleDraft): Partial<Record<RuleField, RuleFault>> {
  if (!hasThresholds(kind)) return {}
  if (raiseAt === null || clearAt === null)
    return { ...(raiseAt === null && { raiseAt: 'number' }), ...(clearAt === null && { clearAt: 'number' }) }
  const { when } = alarmKindDefinition(kind).source
  if (when === 'above' && clearAt > raiseAt) return { clearAt: 'mustNotBeAbove' }
  if (when === 'below' && clearAt < raiseAt) return { clearAt: 'mustNotBeBelow' }
  return {}
}

function findHoursFault(hours: RuleDraft['hours']): RuleFault | undefined {
  if (hours === null || alarmHours.safeParse(hours).success) return undefined
  return hours.from === null || hours.to === null ? 'hourNeeded' : 'noHour'
}

/** The errors of a draft by field; empty if it can be saved. */
export function checkDraft(draft: RuleDraft): Partial<Record<RuleField, RuleFault>> {
  const hours = findHoursFault(draft.hours)
  const isSeason = draft.season === null || alarmSeason.safeParse(draft.season).success
  return {
    ...checkThresholds(draft),
    ...(!isDelay(draft.raiseAfterMin) && { raiseAfter: 'delay' }),
    ...(!isDelay(draft.clearAfterMin) && { clearAfter: 'delay' }),
    ...(!isSeason && { season: 'day' }),
    ...(hours && { hours }),
  }
}

/** The settings of a draft; undefined while it has errors. */
export function toSettings(draft: RuleDraft): AlarmSettings | undefined {
  const { raiseAfterMin, clearAfterMin, season } = draft
  if (Object.keys(checkDraft(draft)).length > 0 || raiseAfterMin === null || clearAfterMin === null)
    return undefined
  const isMeasured = hasThresholds(draft.kind)
  return {
    enabled: draft.enabled,
    severity: draft.severity,
    season: season && { ...season },
    raiseAt: isMeasured ? draft.raiseAt : null,
    clearAt: isMeasured ? draft.clearAt : null,
    raiseAfterS: toSeconds(raiseAfterMin),
    clearAfterS: toSeconds(clearAfterMin),
    hours: draft.hours && alarmHours.parse(draft.hours),
  }
}

/** The device kinds to which a rule may be restricted: those that can have the alarm. A subtree alarm counts all kinds. */
export const listDeviceChoices = (kind: AlarmKind): readonly DeviceKind[] => {
  const { source, devices } = alarmKindDefinition(kind)
  return source.from === 'subtree' || devices.length < 2 ? [] : devices
}
