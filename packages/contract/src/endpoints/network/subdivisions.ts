import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { refersTo } from '../../refs.ts'
import { subdivision } from './network.ts'

/** Number of the marked project or group, as text. */
const sid = refersTo('node', z.string().regex(/^[1-9]\d{0,14}$/))
/** The tree collapses s after loading (specification, section 4). */
const stype = z.string().regex(/^[A-Za-z0-9]{1,8}$/)

const changesSubdivisions = {
  backend: 'ht-api',
  method: 'POST',
  access: requiresPermission('ps-oraigionsys', 'pg-groupmanage'),
  effect: 'changes',
} as const

const adds = {
  ...changesSubdivisions,
  input: z.object({ sid, stype }),
  output: subdivision,
  errors: ['node.not-found', 'entity.taken'],
} as const

export const addSubdivision = defineEndpoint({
  ...adds,
  path: '/Subdivision/AddSubdivision',
  summary: 'Sets the subdivision type of a project or group.',
})

export const insertSubdiv = defineEndpoint({
  ...adds,
  path: '/CtlDev/InsertSubdiv',
  summary: 'Sets the subdivision type of a project or group, like AddSubdivision.',
})

export const editSubdivision = defineEndpoint({
  ...changesSubdivisions,
  path: '/Subdivision/EditSubdivision',
  summary: 'Changes the subdivision type of a project or group.',
  input: z.object({ sid, stype, version }),
  output: subdivision,
  errors: ['node.not-found', 'entity.stale'],
})

export const deleteSubdivision = defineEndpoint({
  ...changesSubdivisions,
  path: '/Subdivision/DeletSubdivision',
  summary: 'Removes the subdivision type of a project or group.',
  input: z.object({ sid, version }),
  output: z.object({}),
  errors: ['node.not-found', 'entity.stale'],
})

export const subdivisionsEndpoints = {
  addSubdivision,
  insertSubdiv,
  editSubdivision,
  deleteSubdivision,
} as const
