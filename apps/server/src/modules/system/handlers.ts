import type { apiKeysEndpoints } from '@isotherm/contract/endpoints/administration/api-keys'
import type { backupsEndpoints } from '@isotherm/contract/endpoints/administration/backups'
import type { brokerEndpoints } from '@isotherm/contract/endpoints/administration/broker'
import type { interfacesEndpoints } from '@isotherm/contract/endpoints/administration/interfaces'
import type { modulesEndpoints } from '@isotherm/contract/endpoints/administration/modules'
import type { operationsEndpoints } from '@isotherm/contract/endpoints/administration/operations'
import type { resourcesEndpoints } from '@isotherm/contract/endpoints/administration/resources'
import {
  RBAC_CODE,
  RBAC_PACCOUNT,
  type roleCodesEndpoints,
} from '@isotherm/contract/endpoints/administration/role-codes'
import type { rolesEndpoints } from '@isotherm/contract/endpoints/administration/roles'
import type { organisationsEndpoints } from '@isotherm/contract/endpoints/network/organisations'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import { createCallerGate } from '../../platform/tasks/turns/caller-gate.ts'
import { requireHistoryOf } from './policy.ts'
import type { SystemService } from './service.ts'

type Name =
  | keyof typeof modulesEndpoints
  | keyof typeof rolesEndpoints
  | keyof typeof roleCodesEndpoints
  | keyof typeof organisationsEndpoints
  | keyof typeof resourcesEndpoints
  | keyof typeof operationsEndpoints
  | keyof typeof interfacesEndpoints
  | keyof typeof backupsEndpoints
  | keyof typeof brokerEndpoints
  | keyof typeof apiKeysEndpoints

const deleted = async (removing: Promise<number>): Promise<{ deleted: number }> => ({
  deleted: await removing,
})

/** A search of the log may read for three seconds, and the process has twelve connections to PostgreSQL. */
const LOG_SEARCHES = { running: 2, waiting: 20 } as const

export const createSystemHandlers = (
  system: SystemService,
  gate = createCallerGate(LOG_SEARCHES),
): HandlersOf<Name> => ({
  getAllModulesP: (input, { caller }) => system.modules.list(caller, input),
  getAllModules: () => system.modules.listEnabled(),
  addModules: async (input, call) => ({ datalist: await system.modules.add(call, input) }),
  editModules: async (input, call) => ({ datalist: await system.modules.edit(call, input) }),
  deleteMdoules: (input, call) => deleted(system.modules.remove(call, input)),

  getAllRolesP: (input, { caller }) => system.roleLists.list(caller, input),
  getRoleByOwnName: (input, { caller }) => system.roleLists.listByName(caller, 'own', input),
  getRoleByOtherName: (input, { caller }) => system.roleLists.listByName(caller, 'others', input),
  addRole: (input, call) => system.roles.add(call, input),
  editRoleModule: (input, call) => system.roles.edit(call, input),
  deleteRole: (input, call) => deleted(system.roles.remove(call, input)),
  updateRoleResByTK: (input, call) => system.roles.setModules(call, 'replaced', input),
  insertRoleResPerByTk: (input, call) => system.roles.setModules(call, 'added', input),

  getRoleCodes: (input, { caller }) => system.roleCodes.list(caller, input),
  addRoleCode: (input, call) => system.roleCodes.add(call, input),
  editRoleCode: (input, call) => system.roleCodes.edit(call, input),
  deleteRoleCode: (input, call) => deleted(system.roleCodes.remove(call, input)),

  getOrgans: (input, { caller }) => system.organisations.list(caller, input),
  addOrgan: (input, call) => system.organisations.add(call, input),
  editOrgan: (input, call) => system.organisations.edit(call, input),
  deleteOrgan: (input, call) => deleted(system.organisations.remove(call, input)),
  getCompanies: (input, { caller }) => system.companies.list(caller, input),
  addCompany: (input, call) => system.companies.add(call, input),
  editCompany: (input, call) => system.companies.edit(call, input),

  async z7TLogin(input, call) {
    const { token, account } = await system.session.login('ht-api', input, call)
    return { data: token, utype: account.utype, rcode: RBAC_CODE, paccount: RBAC_PACCOUNT }
  },
  async getHtmlResByTK(_input, { caller }) {
    return { datalist: (await system.session.listModules(caller)).data }
  },
  async getResByTK(input, { caller }) {
    const { data: modules } = await system.session.listModules(caller)
    return { modules, ...(await system.findGrants(caller, input)) }
  },

  getOperations: (input, { caller }) => gate(() => system.log.search(caller, input)),
  async getEntityHistory(input, { caller }) {
    await requireHistoryOf(system.devices, caller, input)
    return system.log.listHistory(caller, input)
  },
  async addUserOp(_input, { operation }) {
    await system.recordVisit(operation)
    return {}
  },
  setInterfaceStates: async (input, call) => ({ changed: await system.interfaces.disabled.set(call, input) }),
  getApiKeys: (input, { caller }) => system.apiKeys.list(caller, input),
  addApiKey: (input, call) => system.apiKeys.add(call, input),
  deleteApiKey: (input, call) => deleted(system.apiKeys.remove(call, input)),
  getBackups: (input, { caller }) => system.backups.list(caller, input),
  getBroker: async () => system.getBroker(),
  async getInterfaces(input, { caller }) {
    return system.interfaces.list(caller, input, await system.roleLists.listNames(caller))
  },
})
