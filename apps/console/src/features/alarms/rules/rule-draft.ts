import {
  type AlarmKind,
  type AlarmSettings,
  alarmHours,
  alarmKindDefinition,
  alarmSeason,
  hasThresholds,
  MOST_ALARM_DELAY_S,
} from '@isotherm/contract/alarm-kinds'
import type { DeviceKind } from '@isotherm/contract/devices'

/** A rule as it stands in the form: numbers may be missing, days may be none. Delays are in minutes. */
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
/** Why a field cannot stand so; the texts are in the locales. */
export type RuleFault =
  | 'number'
  | 'mustNotBeAbove'
  | 'mustNotBeBelow'
  | 'delay'
  | 'day'
  | 'hourNeeded'
  | 'noHour'

const MINUTE_S = 60

/** The draft that stands for settings, as those of a rule or of a kind's standard. */
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
  minutes !== null && minutes >= 0 && toSeconds(minutes) <= MOST_ALARM_DELAY_S

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

/** What is wrong with a draft, by field; nothing when it can be saved. */
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

/** Settings that a draft without faults stands for; nothing while it has one. */
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

/** Devices an order of the kinds may be narrowed to: those that can have it; a subtree counts all of them. */
export const listDeviceChoices = (kind: AlarmKind): readonly DeviceKind[] => {
  const { source, devices } = alarmKindDefinition(kind)
  return source.from === 'subtree' || devices.length < 2 ? [] : devices
}
