import type { OutputOf } from '@isotherm/contract/endpoint'
import type { getVauser } from '@isotherm/contract/endpoints/network/network'
import type { Page } from '../nodes/page.ts'
import { toNodeAbilities, type Viewer } from '../nodes/policy.ts'
import type { SubUserRow } from './sub-users.pg.ts'

export type SubUserAnswer = OutputOf<typeof getVauser>

/** Converts a page of sub-users to the answer for a viewer. */
export function toSubUserAnswer(
  viewer: Viewer,
  { rows, total }: Page<SubUserRow>,
  withAreas: boolean,
): SubUserAnswer {
  const datalist = rows.map(({ uuid, name, pids, isTest, path, version, addresses, areas }) => ({
    uuid,
    name,
    // The parents are groups, which have no uuid; info.pids has their ids.
    puuids: '',
    addrlist: [...addresses],
    ...(withAreas ? { areas: [...areas] } : {}),
    info: { pids, url: '' },
    ...(isTest ? { test: true } : {}),
    version,
    abilities: toNodeAbilities(viewer, { path, kind: 'sub-user' }),
  }))
  return { datalist, total }
}
