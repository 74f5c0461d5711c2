import { z } from 'zod'
import { defineEndpoint, sessionAccess } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { filteredPage, pageOf } from '../../filter.ts'

/** What the caller can do with a node: add nodes below it, change or move it, remove it. */
export const nodeAbilities = z.array(z.enum(['add', 'edit', 'remove']))
export type NodeAbilities = z.infer<typeof nodeAbilities>

/** A group of any depth below a project (specification, section 3). */
export interface Group {
  id: number
  title: string
  level: number
  parentId: number
  projectId: number
  description: string
  /** The station controller on the group itself; null if there is none. */
  deviceId: number | null
  /** Number of devices in its subtree, if requested. */
  devCount?: number | undefined
  version: number
  abilities: NodeAbilities
  childrens: Group[]
}

export const group: z.ZodType<Group> = z.object({
  id: z.number().int(),
  title: z.string(),
  level: z.number().int(),
  parentId: z.number().int(),
  projectId: z.number().int(),
  description: z.string(),
  deviceId: z.number().int().nullable(),
  devCount: z.number().int().optional(),
  version,
  abilities: nodeAbilities,
  get childrens() {
    return z.array(group)
  },
})

/** The tree's first level. */
export const project = z.object({
  id: z.number().int(),
  projectName: z.string(),
  groupList: z.array(group),
  description: z.string(),
  version,
  abilities: nodeAbilities,
})
export type Project = z.infer<typeof project>

/** A sub-user: a building with the addresses of its units and households (specification, section 3). */
export const vauser = z.object({
  uuid: z.string(),
  name: z.string(),
  /** Uuids of parents, joined by commas. Always empty: a sub-user's parents are groups, which have numbers (info.pids). */
  puuids: z.string(),
  /** Addresses such as 1单元-301; parts are joined by a hyphen. */
  addrlist: z.array(z.string()),
  /** If requested: heated floor areas of the addresses, where known, m². */
  areas: z.array(z.object({ address: z.string(), areaM2: z.number() })).optional(),
  /** `pids`: the parent's ancestors and the parent, joined by commas. */
  info: z.object({ pids: z.string(), url: z.string() }),
  /** True for the one sub-user for tests. */
  test: z.boolean().optional(),
  version,
  abilities: nodeAbilities,
})
export type Vauser = z.infer<typeof vauser>

/** Type of a group's subtree; the tree collapses stype s after loading (specification, section 4). */
export const subdivision = z.object({
  sid: z.string(),
  psids: z.string(),
  stype: z.string(),
  version,
  abilities: nodeAbilities,
})
export type Subdivision = z.infer<typeof subdivision>

export const queryProjectList = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/projectInfo/queryProjectList',
  summary: 'Projects in which the caller has any grant, in pages, with their first groups if requested.',
  access: sessionAccess,
  effect: 'reads',
  input: z.object({
    token: z.string().max(200).optional(),
    pageNo: z.number().int().min(1).max(1_000_000),
    pageSize: z.number().int().min(1).max(300),
    projectName: z.string().max(60).optional(),
    /** 1: groupList contains the groups directly below each project. */
    queryGroupListStatus: z.union([z.literal(0), z.literal(1)]).optional(),
  }),
  output: z.object({ list: z.array(project), total: z.number().int() }),
  errors: [],
})

export const getDevGroups = defineEndpoint({
  backend: 'usr-cloud',
  method: 'POST',
  path: '/dev/getDevGroups',
  summary: 'Groups of a project, nested, or those below one group.',
  access: sessionAccess,
  effect: 'reads',
  input: z.object({
    token: z.string().max(200).optional(),
    projectId: z.number().int(),
    /** 1: with the number of devices in each group's subtree. */
    devCountIsContainChildren: z.union([z.literal(0), z.literal(1)]).optional(),
    id: z.number().int().optional(),
  }),
  output: z.object({ groupList: z.array(group) }),
  errors: ['node.not-found'],
})

export const getSubdiv = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetSubdiv',
  summary: 'Subdivisions that match a filter on sid, psids (or parentids) or stype.',
  access: sessionAccess,
  effect: 'reads',
  input: filteredPage,
  output: pageOf(subdivision),
  errors: ['filter.unknown-field', 'filter.bad-pattern'],
})

const vauserQuery = {
  backend: 'ht-api',
  method: 'POST',
  access: sessionAccess,
  effect: 'reads',
  input: filteredPage.extend({
    /** 1: with the floor areas of the addresses. */
    isContainArea: z.union([z.literal(0), z.literal(1)]).optional(),
  }),
  output: pageOf(vauser),
  errors: ['filter.unknown-field', 'filter.bad-pattern'],
} as const

export const getSubUser = defineEndpoint({
  ...vauserQuery,
  path: '/Vauser/GetSubUser',
  summary: 'Sub-users (buildings) that match a filter on uuid, name or parentids.',
})

export const getVauser = defineEndpoint({
  ...vauserQuery,
  path: '/CtlDev/GetVauser',
  summary: 'Sub-users with the address lists of their units and households.',
})

export const networkEndpoints = { queryProjectList, getDevGroups, getSubdiv, getSubUser, getVauser } as const
