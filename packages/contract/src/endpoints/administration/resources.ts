import { z } from 'zod'
import { deviceKind } from '../../devices.ts'
import { defineEndpoint, publicAccess, sessionAccess } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { limiter } from '../../filter.ts'
import { nodeKey } from '../../tree.ts'
import { login, moduleItem } from './session.ts'

export const z7TLogin = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/Z7TLogin',
  summary:
    'The rbac variant of TokenLogin: a second-backend token for two hours, rcode 500 and a fixed paccount.',
  access: publicAccess,
  effect: 'changes',
  input: login.input,
  output: z.object({ data: z.string(), utype: z.string(), rcode: z.number().int(), paccount: z.string() }),
  errors: login.errors,
})

export const getHtmlResByTK = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/GetHtmlResByTK',
  summary: 'The rbac variant of GetAllModulesU: the modules the signed-in user may use.',
  access: sessionAccess,
  effect: 'reads',
  input: z.object({}),
  output: z.object({ datalist: z.array(moduleItem) }),
  errors: [],
})

/** A node that is granted to the caller with its whole subtree. */
const grantedNode = z.object({
  id: nodeKey,
  label: z.string(),
  level: z.number().int(),
  /** Names from the project down to the node. */
  nestaddr: z.string(),
  version,
})

/** A single device that is granted to the caller. */
const grantedDevice = z.object({
  id: z.number().int().positive(),
  serial: z.string(),
  name: z.string(),
  kind: deviceKind,
  /** Names from the project down to its node. */
  nestaddr: z.string(),
  version,
})

export const getResByTK = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Rbac/GetResByTK',
  summary: 'Modules, granted nodes and granted devices of the signed-in user.',
  access: sessionAccess,
  effect: 'reads',
  /** The limiter applies to the nodes and to the devices. */
  input: z.object({ limiter: limiter.default({ page: 1, size: 1_000 }) }),
  output: z.object({
    modules: z.array(moduleItem),
    /** Sees the whole tree, independent of grants. */
    seesAll: z.boolean(),
    nodes: z.array(grantedNode),
    nodeTotal: z.number().int().nonnegative(),
    devices: z.array(grantedDevice),
    deviceTotal: z.number().int().nonnegative(),
  }),
  errors: [],
})

export const resourcesEndpoints = { z7TLogin, getHtmlResByTK, getResByTK } as const
