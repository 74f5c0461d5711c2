import {
  type Group,
  getDevGroups,
  getSubdiv,
  getVauser,
  queryProjectList,
} from '@isotherm/contract/endpoints/network/network'
import { getNodeHealth, searchTree } from '@isotherm/contract/endpoints/network/tree'
import type { FilterItem } from '@isotherm/contract/filter'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import type { SampleCompany } from '../lists/list-samples.testkit.ts'
import { createTown } from './sample-town.testkit.ts'

function findGroup(groups: readonly Group[], id: number): Group | undefined {
  for (const each of groups) {
    const found = each.id === id ? each : findGroup(each.childrens, id)
    if (found) return found
  }
  return undefined
}

/** Whether a chain of ids matches the filter that the tree sends. */
const isBelow = (filter: readonly FilterItem[] | undefined, chain: string): boolean =>
  (filter ?? []).every(({ vrex }) => vrex === undefined || new RegExp(vrex).test(chain))

const toPage = <Item>(datalist: Item[]) => ({ datalist, total: datalist.length })

/** Devices below each node. */
export const DEVICES = 12

/**
 * A fake server with all calls of the tree. It answers from `company`, which the test may change. `answerTree` resets
 * the answers after the test changed some of them.
 */
export function startTreeServer(company: SampleCompany = createTown()) {
  const api = startFakeApi()
  function answerTree(): void {
    api.answer(queryProjectList, () => ({ list: company.projects, total: company.projects.length }))
    api.answer(getDevGroups, ({ id }) => ({
      groupList: id === undefined ? company.groups : (findGroup(company.groups, id)?.childrens ?? []),
    }))
    api.answer(getVauser, ({ filter }) =>
      toPage(company.users.filter(({ info }) => isBelow(filter, info.pids))),
    )
    api.answer(getSubdiv, ({ filter }) =>
      toPage(company.subdivisions.filter(({ psids }) => isBelow(filter, psids))),
    )
    api.answer(getNodeHealth, ({ nodes }) => ({
      datalist: nodes.map((node) => ({
        node,
        health: 'caution' as const,
        devCount: DEVICES,
        silentCount: 2,
        unknownCount: 0,
        badCount: 0,
      })),
    }))
    api.answer(searchTree, { datalist: [], more: false })
  }
  answerTree()
  return { api, company, answerTree }
}

export type TreeServer = ReturnType<typeof startTreeServer>

/** A promise that the test resolves. */
export function createDelay() {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { released, release: () => release() }
}
