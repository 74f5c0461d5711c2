import type { NodeAbilities } from '@isotherm/contract/endpoints/network/network'
import { placingNodes } from '@isotherm/contract/endpoints/network/zone-gis'
import type { Caller } from '../../../platform/http/call.ts'
import { covers } from '../../../platform/scope/scope.ts'
import type { NodeKind } from './tables.ts'

/** The caller as far as permissions on the tree are concerned. */
export type Viewer = Pick<Caller, 'scope' | 'permissions'>

const mayArrange = ({ permissions }: Viewer, kind: NodeKind): boolean =>
  permissions.has('ps-oraigionsys') || (kind === 'group' && permissions.has('pg-groupmanage'))

const mayAddBelow = ({ permissions }: Viewer): boolean =>
  permissions.has('ps-oraigionsys') || permissions.has('pg-groupmanage')

/** What the viewer may do with a node; nothing with an ancestor outside the scope. */
export function toNodeAbilities(
  viewer: Viewer,
  { path, kind }: { readonly path: string; readonly kind: NodeKind },
): NodeAbilities {
  if (!covers(viewer.scope, path)) return []
  const canHold = kind === 'project' || kind === 'group'
  return [
    ...(canHold && mayAddBelow(viewer) ? (['add'] as const) : []),
    ...(mayArrange(viewer, kind) ? (['edit', 'remove'] as const) : []),
  ]
}

/** What the viewer may do with a node's place on the map. */
export const toPlaceAbilities = ({ scope, permissions }: Viewer, path: string): ('edit' | 'remove')[] =>
  placingNodes.anyOf.some((permission) => permissions.has(permission)) && covers(scope, path)
    ? ['edit', 'remove']
    : []
