import {
  getDevGroups,
  getSubdiv,
  getVauser,
  queryProjectList,
} from '@isotherm/contract/endpoints/network/network'
import { getNodeHealth, searchTree } from '@isotherm/contract/endpoints/network/tree'
import type { FilterItem } from '@isotherm/contract/filter'
import { type FakeApi, startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import type { SampleCompany } from '../lists/list-samples.testkit.ts'
import { findGroup } from '../load/tree-samples.testkit.ts'
import { createTown } from './sample-town.testkit.ts'

/** Whether a chain of ids matches the filter that the tree sends. */
const isBelow = (filter: readonly FilterItem[] | undefined, chain: string): boolean =>
  (filter ?? []).every(({ vrex }) => vrex === undefined || new RegExp(vrex).test(chain))

const toPage = <Item>(datalist: Item[]) => ({ datalist, total: datalist.length })

/** Devices below each node. */
export const DEVICES = 12

/** Answers all calls of the tree from a company, which the test may change. */
export function answerTree(api: FakeApi, company: SampleCompany): void {
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

/** A fake server of the tree. `recover` sets all answers again, after the test changed some of them. */
export function startTreeServer(company: SampleCompany = createTown()) {
  const api = startFakeApi()
  const recover = () => answerTree(api, company)
  recover()
  return { api, company, recover }
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
