import type { OutputOf } from '@isotherm/contract/endpoint'
import type { getVauser } from '@isotherm/contract/endpoints/network'
import { toNodeAbilities, type Viewer } from '../nodes/policy.ts'
import type { Page, SubUserRow } from './store.ts'

export type SubUserAnswer = OutputOf<typeof getVauser>

/** A page of sub-users as the viewer is given it. */
export function toSubUserAnswer(
  viewer: Viewer,
  { rows, total }: Page<SubUserRow>,
  withAreas: boolean,
): SubUserAnswer {
  const datalist = rows.map(({ uuid, name, pids, isTest, path, version, addresses, areas }) => ({
    uuid,
    name,
    // Its parents are groups, which have no uuid; their ids are in info.pids.
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
