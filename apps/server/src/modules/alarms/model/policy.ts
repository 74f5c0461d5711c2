import type { Alarm } from '@isotherm/contract/alarms/alarms'
import { mayHandleAlarms } from '@isotherm/contract/endpoints/monitoring/alarms'
import { AppError } from '../../../platform/app-error.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { covers } from '../../../platform/scope/scope.ts'

/** Who looks at alarms. */
export type Viewer = Pick<Caller, 'permissions' | 'scope'>

/** Whether somebody acts on alarms: who has their page and works on devices. The service desk only has the page. */
export const mayHandle = ({ permissions }: Pick<Viewer, 'permissions'>): boolean =>
  mayHandleAlarms(permissions)

/** Throws access.denied for who may not. */
export function requireHandling(viewer: Pick<Viewer, 'permissions'>): void {
  if (!mayHandle(viewer)) throw new AppError('access.denied')
}

/** What the viewer may do with an alarm in a state. */
export function toAlarmAbilities(viewer: Viewer, state: Alarm['state']): Alarm['abilities'] {
  if (state === 'ended' || !mayHandle(viewer)) return []
  const known = state === 'active-acknowledged'
  return [...(known ? [] : (['acknowledge'] as const)), 'assign', 'comment', 'close']
}

/** What the viewer may do with a rule, a silence or a target at a path. */
export const toAbilitiesAt = <Ability extends string>(
  viewer: Viewer,
  path: string,
  abilities: readonly Ability[],
): Ability[] => (mayHandle(viewer) && covers(viewer.scope, path) ? [...abilities] : [])
