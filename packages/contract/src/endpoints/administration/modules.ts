import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { givenName, version } from '../../entity.ts'
import { filteredPage, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { moduleItem } from './session.ts'

const moduleId = refersTo('module', z.number().int().positive())

/** A page of the console or a group of pages, as shown in module management. */
export const managedModule = moduleItem.extend({
  /** True for a module of the specification: it cannot be deleted, and its url is fixed. */
  builtIn: z.boolean(),
  version,
  abilities: z.array(z.enum(['edit', 'delete'])),
})
export type ManagedModule = z.infer<typeof managedModule>

/** A permission value, or the URL of an external page. */
const url = z
  .string()
  .max(200)
  .regex(/^([A-Za-z][A-Za-z0-9-]{0,63}|(https?:\/\/|mailto:|tel:)[^\s"'<>`]+)$/)

const moduleFields = {
  /** Group of a page; null for a group. */
  parentId: moduleId.nullable(),
  name: givenName,
  url,
  /** Name of an icon, or its URL. */
  icon: z
    .string()
    .max(200)
    .regex(/^[^\s"'<>`]*$/)
    .default(''),
  /** Position in the menu, ascending. */
  sort: z.number().int().min(0).max(1_000_000),
  enabled: z.boolean(),
}

const filterErrors = ['filter.unknown-field', 'filter.bad-pattern'] as const

export const getAllModulesP = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Module/GetAllModulesP',
  summary: 'Every module in menu order, including disabled ones, for users who manage modules or roles.',
  access: requiresPermission('ps-modelsys', 'ps-rolesys'),
  effect: 'reads',
  /** Fields: id, parentId, name, url, sort, enabled. */
  input: filteredPage,
  output: pageOf(managedModule),
  errors: filterErrors,
})

export const getAllModules = defineEndpoint({
  backend: 'ht-api',
  method: 'GET',
  path: '/Module/GetAllModules',
  summary: 'The enabled modules in menu order, 1,000 at most.',
  access: requiresPermission('ps-modelsys', 'ps-rolesys', 'pu-usersetting', 'ps-usersys', 'ps-htusersys'),
  effect: 'reads',
  input: z.object({ token: z.string().max(200).optional() }),
  output: pageOf(moduleItem.extend({ version })),
  errors: [],
})

export const addModules = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Module/AddModules',
  summary: 'Adds modules. The administrator role and the roles that let the caller manage modules get them.',
  access: requiresPermission('ps-modelsys'),
  effect: 'changes',
  input: z.object({ modules: z.array(z.object(moduleFields)).min(1).max(100) }),
  output: z.object({ datalist: z.array(managedModule) }),
  errors: ['access.denied', 'module.not-found', 'entity.taken', 'node.bad-place'],
})

export const editModules = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Module/EditModules',
  summary:
    'Edits modules. Modules of the specification keep their url; module management cannot be disabled.',
  access: requiresPermission('ps-modelsys'),
  effect: 'changes',
  input: z.object({
    modules: z
      .array(z.object({ id: moduleId, version, ...moduleFields }))
      .min(1)
      .max(100),
  }),
  output: z.object({ datalist: z.array(managedModule) }),
  errors: [
    'access.denied',
    'module.not-found',
    'entity.stale',
    'entity.taken',
    'entity.built-in',
    'entity.in-use',
    'node.bad-place',
  ],
})

export const deleteMdoules = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Module/DeleteMdoules',
  summary:
    'Deletes modules and removes them from every role. Modules of the specification and groups in use cannot be deleted.',
  access: requiresPermission('ps-modelsys'),
  effect: 'changes',
  input: z.object({
    items: z
      .array(z.object({ id: moduleId, version }))
      .min(1)
      .max(100),
  }),
  output: z.object({ deleted: z.number().int().nonnegative() }),
  errors: ['module.not-found', 'entity.stale', 'entity.built-in', 'entity.in-use'],
})

export const modulesEndpoints = {
  getAllModulesP,
  getAllModules,
  addModules,
  editModules,
  deleteMdoules,
} as const
