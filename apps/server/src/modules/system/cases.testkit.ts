import type { apiKeysEndpoints } from '@isotherm/contract/endpoints/administration/api-keys'
import type { backupsEndpoints } from '@isotherm/contract/endpoints/administration/backups'
import type { brokerEndpoints } from '@isotherm/contract/endpoints/administration/broker'
import type { interfacesEndpoints } from '@isotherm/contract/endpoints/administration/interfaces'
import type { modulesEndpoints } from '@isotherm/contract/endpoints/administration/modules'
import type { operationsEndpoints } from '@isotherm/contract/endpoints/administration/operations'
import type { resourcesEndpoints } from '@isotherm/contract/endpoints/administration/resources'
import type { roleCodesEndpoints } from '@isotherm/contract/endpoints/administration/role-codes'
import type { rolesEndpoints } from '@isotherm/contract/endpoints/administration/roles'
import type { organisationsEndpoints } from '@isotherm/contract/endpoints/network/organisations'
import { DAY_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'
import { toClientHash } from '../session/sign-in/passwords.ts'

const versioned = z.object({ id: z.number(), version: z.number() })
const list = z.object({ datalist: z.array(versioned.extend({ url: z.string() })) })
const codes = z.object({ code: z.number(), version: z.number() })

const limiter = { page: 1, size: 100 }
const everything = { filter: [], limiter }

const toModule = (world: World) => ({
  parentId: null,
  name: world.unique('模块'),
  url: world.unique('px-'),
  icon: 'list',
  sort: 900,
  enabled: true,
})

/** A module of its own, without its url. */
async function addModule(world: World) {
  const { datalist } = list.parse(await world.callOk('addModules', { modules: [toModule(world)] }))
  const [added] = datalist
  if (!added) throw new Error('no module was added')
  return added
}

async function toNewRole(world: World) {
  const { code } = await addCode(world)
  return { name: world.unique('角色'), code, description: '', moduleIds: [(await addModule(world)).id] }
}

const addRole = async (world: World) => versioned.parse(await world.callOk('addRole', await toNewRole(world)))

let lastCode = 20_000
function toNewCode(world: World) {
  lastCode += 1
  return { code: lastCode, name: world.unique('编码'), description: '' }
}

const addCode = async (world: World) => codes.parse(await world.callOk('addRoleCode', toNewCode(world)))

const toNewCompany = (world: World) => ({
  tenant: world.unique('t-'),
  name: world.unique('公司'),
  timeZone: 'Asia/Shanghai',
})

const addCompany = async (world: World) =>
  versioned.parse(await world.callOk('addCompany', toNewCompany(world)))

async function toNewOrgan(world: World) {
  const { id: companyId } = await addCompany(world)
  return { companyId, parentId: null, name: world.unique('科室'), description: '' }
}

const addOrgan = async (world: World) =>
  versioned.parse(await world.callOk('addOrgan', await toNewOrgan(world)))

const pick = ({ id, version }: z.infer<typeof versioned>) => ({ id, version })

async function toRoleModules(world: World) {
  const { id, version } = await addRole(world)
  return { roleId: id, version, moduleIds: [(await addModule(world)).id] }
}

const toNewKey = async (world: World) => ({
  name: world.unique('程序'),
  permissions: ['pe-fmreal'],
  readOnly: true,
  nodes: [await world.server.nodeKey('s1')],
  callsPerMinute: 60,
  expiresAt: Date.now() + DAY_MS,
})

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

export const systemCases: CasesOf<Name> = {
  getAllModulesP: async () => everything,
  getAllModules: async () => ({}),
  addModules: async (world) => ({ modules: [toModule(world)] }),
  editModules: async (world) => ({ modules: [{ ...toModule(world), ...pick(await addModule(world)) }] }),
  deleteMdoules: async (world) => ({ items: [pick(await addModule(world))] }),

  getAllRolesP: async () => everything,
  getRoleByOwnName: async () => ({ name: '管理', limiter }),
  getRoleByOtherName: async () => ({ name: '管理', limiter }),
  addRole: toNewRole,
  editRoleModule: async (world) => ({ ...(await toNewRole(world)), ...pick(await addRole(world)) }),
  deleteRole: async (world) => pick(await addRole(world)),
  updateRoleResByTK: toRoleModules,
  insertRoleResPerByTk: toRoleModules,

  getRoleCodes: async () => everything,
  addRoleCode: async (world) => toNewCode(world),
  editRoleCode: async (world) => {
    const { code, version } = await addCode(world)
    return { ...toNewCode(world), code, version }
  },
  deleteRoleCode: async (world) => {
    const { code, version } = await addCode(world)
    return { code, version }
  },

  getOrgans: async () => everything,
  addOrgan: toNewOrgan,
  editOrgan: async (world) => ({
    ...pick(await addOrgan(world)),
    parentId: null,
    name: world.unique('部门'),
    description: '',
  }),
  deleteOrgan: async (world) => pick(await addOrgan(world)),
  getCompanies: async () => everything,
  addCompany: async (world) => toNewCompany(world),
  editCompany: async (world) => ({
    ...pick(await addCompany(world)),
    name: world.unique('新公司'),
    timeZone: 'Asia/Urumqi',
  }),

  z7TLogin: async () => ({ username: 'whole', password: toClientHash('whole') }),
  getHtmlResByTK: async () => ({}),
  getResByTK: async () => ({ limiter }),

  getOperations: async ({ server }) => ({ node: await server.nodeKey('s1'), limiter }),
  getEntityHistory: async ({ server }) => ({
    entity: 'device',
    entityId: String(await server.deviceId('V-b2u1')),
    limiter,
  }),
  addUserOp: async () => ({ path: '/ewph/fmreal', title: '阀门实时监测', visitedAt: 1_700_000_000_000 }),
  getBackups: async () => ({ size: 10 }),
  getBroker: async () => ({}),
  getInterfaces: async () => ({ text: '', limiter }),
  getApiKeys: async () => ({ limiter }),
  addApiKey: toNewKey,
  deleteApiKey: async (world) => {
    const { record } = z
      .object({ record: versioned })
      .parse(await world.callOk('addApiKey', await toNewKey(world)))
    return pick(record)
  },
  setInterfaceStates: async () => ({ names: ['getLikeSubUser'], enabled: true }),
}
