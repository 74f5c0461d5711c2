import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { version } from '../../entity.ts'
import { refersTo } from '../../refs.ts'
import { nodeName } from '../../tree.ts'
import { nodeAbilities } from './network.ts'

const projectId = refersTo('group', z.number().int().positive())
const description = z.string().max(200)

/** A project, without its groups. */
export const projectItem = z.object({
  id: z.number().int(),
  projectName: z.string(),
  description: z.string(),
  version,
  abilities: nodeAbilities,
})
export type ProjectItem = z.infer<typeof projectItem>

const changesProjects = {
  backend: 'usr-cloud',
  method: 'POST',
  access: requiresPermission('ps-oraigionsys'),
  effect: 'changes',
} as const

export const addProject = defineEndpoint({
  ...changesProjects,
  path: '/projectInfo/addProject',
  summary: 'Adds a project. Staff of a company get a grant on it.',
  input: z.object({
    token: z.string().max(200).optional(),
    /** Company; by default that of the caller, or the only one. */
    companyId: refersTo('company', z.number().int().positive()).optional(),
    projectName: nodeName,
    description: description.default(''),
  }),
  output: projectItem,
  errors: ['company.not-found', 'entity.taken'],
})

export const editProject = defineEndpoint({
  ...changesProjects,
  path: '/projectInfo/editProject',
  summary: 'Renames or describes a project.',
  input: z.object({
    token: z.string().max(200).optional(),
    id: projectId,
    version,
    projectName: nodeName.optional(),
    description: description.optional(),
  }),
  output: projectItem,
  errors: ['node.not-found', 'entity.stale', 'entity.taken'],
})

export const deleteProject = defineEndpoint({
  ...changesProjects,
  path: '/projectInfo/deleteProject',
  summary: 'Removes an empty project.',
  input: z.object({ token: z.string().max(200).optional(), id: projectId, version }),
  output: z.object({}),
  errors: ['node.not-found', 'node.not-empty', 'entity.in-use', 'entity.stale'],
})

export const projectsEndpoints = { addProject, editProject, deleteProject } as const
