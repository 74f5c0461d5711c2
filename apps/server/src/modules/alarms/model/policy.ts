import type { Alarm } from '@isotherm/contract/alarms/alarms'
import { mayHandleAlarms } from '@isotherm/contract/endpoints/monitoring/alarms'
import { AppError } from '../../../platform/app-error.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { covers } from '../../../platform/scope/scope.ts'

/** The caller, as far as access to alarms depends on it. */
export type Viewer = Pick<Caller, 'permissions' | 'scope'>

/** Whether an account may handle alarms: it needs the alarm page and control of devices. The service desk only has the page. */
export const mayHandle = ({ permissions }: Pick<Viewer, 'permissions'>): boolean =>
  mayHandleAlarms(permissions)

/** Throws access.denied unless the caller may handle alarms. */
export function requireHandling(viewer: Pick<Viewer, 'permissions'>): void {
  if (!mayHandle(viewer)) throw new AppError('access.denied')
}

/** Actions that the viewer may take on an alarm in a state. */
export function toAlarmAbilities(viewer: Viewer, state: Alarm['state']): Alarm['abilities'] {
  if (state === 'ended' || !mayHandle(viewer)) return []
  const isAcknowledged = state === 'active-acknowledged'
  return [...(isAcknowledged ? [] : (['acknowledge'] as const)), 'assign', 'comment', 'close']
}

/** Actions that the viewer may take on a rule, silence or target at a path. */
export const toAbilitiesAt = <Ability extends string>(
  viewer: Viewer,
  path: string,
  abilities: readonly Ability[],
): Ability[] => (mayHandle(viewer) && covers(viewer.scope, path) ? [...abilities] : [])
