import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { givenName, version } from '../../entity.ts'
import { filteredPage, pageOf } from '../../filter.ts'
import { topicPart } from '../../mqtt.ts'
import { refersTo } from '../../refs.ts'

const organisationId = refersTo('organisation', z.number().int().positive())
const companyId = refersTo('company', z.number().int().positive())
const description = z.string().max(200).default('')

/** A part of a company that accounts belong to. The parts are a tree. */
export const organisation = z.object({
  id: z.number().int().positive(),
  companyId: z.number().int().positive(),
  parentId: z.number().int().positive().nullable(),
  name: z.string(),
  description: z.string(),
  accountCount: z.number().int().nonnegative(),
  version,
  abilities: z.array(z.enum(['edit', 'delete'])),
})
export type Organisation = z.infer<typeof organisation>

/** A heating company. */
export const company = z.object({
  id: z.number().int().positive(),
  /** Its name in MQTT topics; cannot be changed. */
  tenant: z.string(),
  name: z.string(),
  /** IANA time zone of its heating days. */
  timeZone: z.string(),
  version,
  abilities: z.array(z.enum(['edit'])),
})
export type Company = z.infer<typeof company>

const isTimeZone = (text: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
const timeZone = z.string().min(1).max(60).refine(isTimeZone, 'is not a time zone')

const managesOrganisations = requiresPermission('ps-oraigionsys')
const readsOrganisations = requiresPermission(
  'ps-oraigionsys',
  'ps-rolesys',
  'pu-usersetting',
  'ps-usersys',
  'ps-htusersys',
)
const filterErrors = ['filter.unknown-field', 'filter.bad-pattern'] as const

export const getOrgans = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Organ/GetOrgans',
  summary: "Organisations of the caller's companies, by company and name. They are a tree by parentId.",
  access: readsOrganisations,
  effect: 'reads',
  /** Fields: id, companyId, parentId, name, description. */
  input: filteredPage.extend({ companyId: companyId.optional() }),
  output: pageOf(organisation),
  errors: ['company.not-found', ...filterErrors],
})

export const addOrgan = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Organ/AddOrgan',
  summary: 'Adds an organisation to a company, at the top or below another one.',
  access: managesOrganisations,
  effect: 'changes',
  input: z.object({
    /** Required if neither the caller nor the parent determines it. */
    companyId: companyId.optional(),
    parentId: organisationId.nullable(),
    name: givenName,
    description,
  }),
  output: organisation,
  errors: ['company.not-found', 'organisation.not-found', 'entity.taken'],
})

export const editOrgan = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Organ/EditOrgan',
  summary: 'Edits or moves an organisation within its company.',
  access: managesOrganisations,
  effect: 'changes',
  input: z.object({
    id: organisationId,
    version,
    parentId: organisationId.nullable(),
    name: givenName,
    description,
  }),
  output: organisation,
  errors: ['organisation.not-found', 'entity.stale', 'entity.taken', 'node.bad-place'],
})

export const deleteOrgan = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Organ/DeleteOrgan',
  summary: 'Deletes an organisation without accounts and parts.',
  access: managesOrganisations,
  effect: 'changes',
  input: z.object({ id: organisationId, version }),
  output: z.object({ deleted: z.number().int().nonnegative() }),
  errors: ['organisation.not-found', 'entity.stale', 'entity.in-use'],
})

export const getCompanies = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Company/GetCompanies',
  summary: "The caller's company; for provider staff the companies they manage.",
  access: readsOrganisations,
  effect: 'reads',
  /** Fields: id, tenant, name, timeZone. */
  input: filteredPage,
  output: pageOf(company),
  errors: filterErrors,
})

export const addCompany = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Company/AddCompany',
  summary: 'Adds a company; only for provider staff who see everything.',
  access: managesOrganisations,
  effect: 'changes',
  input: z.object({ tenant: topicPart, name: givenName, timeZone }),
  output: company,
  errors: ['access.denied', 'entity.taken', 'company.elsewhere'],
})

export const editCompany = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Company/EditCompany',
  summary: "Edits a company's name and time zone; only for provider staff.",
  access: managesOrganisations,
  effect: 'changes',
  input: z.object({ id: companyId, version, name: givenName, timeZone }),
  output: company,
  errors: ['access.denied', 'company.not-found', 'entity.stale'],
})

export const organisationsEndpoints = {
  getOrgans,
  addOrgan,
  editOrgan,
  deleteOrgan,
  getCompanies,
  addCompany,
  editCompany,
} as const
