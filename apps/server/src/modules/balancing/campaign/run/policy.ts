import { type BalanceKind, balancePermissions } from '@isotherm/contract/balancing/balance-kind'
import type { Campaign, CampaignAbility } from '@isotherm/contract/balancing/campaign'
import { AppError } from '../../../../platform/app-error.ts'
import type { Caller } from '../../../../platform/http/call.ts'
import { covers } from '../../../../platform/scope/scope.ts'
import { listAbilities } from '../storage/state-machine.ts'

/** A caller that reads campaigns. */
export type Viewer = Pick<Caller, 'permissions' | 'scope'>

/** Whether a caller may run balances of a kind: with the right to control valves and the page of the kind. */
export const mayControl = ({ permissions }: Pick<Viewer, 'permissions'>, kind: BalanceKind): boolean =>
  permissions.has('pe-fmcontrol') && permissions.has(balancePermissions[kind])

/** Throws access.denied without that right. */
export function requireControl(viewer: Pick<Viewer, 'permissions'>, kind: BalanceKind): void {
  if (!mayControl(viewer, kind)) throw new AppError('access.denied')
}

/** Allowed actions of a viewer on a campaign at an instant, Unix ms; none if its node is not granted. */
export const toAbilities = (
  viewer: Viewer,
  campaign: Pick<Campaign, 'mode'> & Parameters<typeof listAbilities>[0] & { readonly nodePath: string },
  now: number,
): CampaignAbility[] =>
  mayControl(viewer, campaign.mode.kind) && covers(viewer.scope, campaign.nodePath)
    ? listAbilities(campaign, now)
    : []
