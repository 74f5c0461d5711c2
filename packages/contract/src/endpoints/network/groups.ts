import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { refersTo } from '../../refs.ts'
import { nodeName } from '../../tree.ts'
import { nodeAbilities } from './network.ts'

const groupId = refersTo('group', z.number().int().positive())
const description = z.string().max(200)
/** 2 company, 3 area, 4 heat station, 5 residential area; below the level of the parent. */
const level = z.number().int().min(2).max(5)

/** A group without its sub-groups. */
export const groupItem = z.object({
  id: z.number().int(),
  title: z.string(),
  level: z.number().int(),
  parentId: z.number().int(),
  projectId: z.number().int(),
  description: z.string(),
  version,
  abilities: nodeAbilities,
})
export type GroupItem = z.infer<typeof groupItem>

const changesGroups = {
  backend: 'usr-cloud',
  method: 'POST',
  access: requiresPermission('ps-oraigionsys', 'pg-groupmanage'),
  effect: 'changes',
} as const

export const addDevGroup = defineEndpoint({
  ...changesGroups,
  path: '/dev/addDevGroup',
  summary: 'Adds a group below a project or a group.',
  input: z.object({
    token: z.string().max(200).optional(),
    /** Parent: a project, or a group of a higher level. */
    parentId: groupId,
    title: nodeName,
    level,
    description: description.default(''),
  }),
  output: groupItem,
  errors: ['node.not-found', 'node.bad-place', 'entity.taken'],
})

export const editDevGroup = defineEndpoint({
  ...changesGroups,
  path: '/dev/editDevGroup',
  summary: 'Renames, describes or moves a group with everything below it.',
  input: z.object({
    token: z.string().max(200).optional(),
    id: groupId,
    version,
    title: nodeName.optional(),
    description: description.optional(),
    /** New parent in the same company. */
    parentId: groupId.optional(),
    level: level.optional(),
  }),
  output: groupItem,
  errors: ['node.not-found', 'node.bad-place', 'entity.stale', 'entity.taken', 'irrigation.sensor-attached'],
})

export const deleteDevGroups = defineEndpoint({
  ...changesGroups,
  path: '/dev/deleteDevGroups',
  summary: 'Removes groups, all or none. Nothing else may be below them.',
  input: z.object({
    token: z.string().max(200).optional(),
    items: z
      .array(z.object({ id: groupId, version }))
      .min(1)
      .max(100),
  }),
  output: z.object({}),
  errors: ['node.not-found', 'node.not-empty', 'entity.in-use', 'entity.stale'],
})

export const groupsEndpoints = { addDevGroup, editDevGroup, deleteDevGroups } as const
