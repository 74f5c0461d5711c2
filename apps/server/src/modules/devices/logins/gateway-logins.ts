import { deviceKind } from '@isotherm/contract/devices'
import {
  type ExportedLogin,
  type GatewayLogin,
  type gatewayLoginsEndpoints,
  MAX_EXPORTED_LOGINS,
} from '@isotherm/contract/endpoints/devices/gateway-logins'
import { toDownTopic, toMqttUsername, toUpTopic } from '@isotherm/contract/mqtt'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import type { HandlersOf } from '../../../platform/http/handlers.ts'
import { toBrokerLogin } from '../../../platform/mqtt/broker-hashes.ts'
import type { BrokerPort } from '../../../platform/mqtt/broker-port.ts'
import { toGatewayPassword } from '../../../platform/mqtt/gateway-access.ts'
import { toPorts } from '../../../platform/mqtt/to-ports.ts'
import { operate, recordOperation } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { NetworkService } from '../../network/index.ts'
import type { DeviceDirectory } from '../directory/directory.ts'
import { mayManage } from '../policy.ts'
import { changeLogin } from './change-login.pg.ts'
import { findGateway, type Gateway } from './find-gateway.pg.ts'
import { getManaged } from './get-managed.pg.ts'
import { type ListedGateway, listLogins } from './list-logins.pg.ts'
import { listRefusals } from './refusal-store.pg.ts'
import { toShownError } from './shown-error.ts'
import { claimPasswords, type Viewer } from './shown-passwords.pg.ts'
import { createTokenHandlers } from './token-handlers.ts'

export interface GatewayLoginsNeeds {
  readonly db: Database
  /** Key from which the passwords derive. */
  readonly secret: string
  readonly broker: Pick<BrokerPort, 'isEmbedded' | 'port' | 'tlsPort' | 'disconnectToken'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  /** The embedded broker checks the passwords of gateways against it. */
  readonly directory: Pick<DeviceDirectory, 'readChanged'>
}

/** A topic of the gateway up to its channel. */
const toPrefix = (topic: string): string => topic.slice(0, topic.lastIndexOf('/'))

function toLogin(
  { tenant, serial, loginVersion }: Pick<Gateway, 'tenant' | 'serial' | 'loginVersion'>,
  { secret, broker }: GatewayLoginsNeeds,
): GatewayLogin {
  const username = toMqttUsername(tenant, serial)
  return {
    clientId: username,
    username,
    password: toGatewayPassword(secret, { tenant, gateway: serial }, loginVersion),
    upTopic: toPrefix(toUpTopic(tenant, serial, 'telemetry')),
    downTopic: toPrefix(toDownTopic(tenant, serial, 'cmd')),
    ...toPorts(broker),
  }
}

const toViewer = ({ operation }: Pick<Call, 'operation'>, way: Viewer['way']): Viewer => ({
  account: operation.account,
  at: operation.at,
  way,
})

/** The gateways of an export. Throws the errors of exportGatewayLogins. */
async function listManaged(
  { db, network }: Pick<GatewayLoginsNeeds, 'db' | 'network'>,
  caller: Caller,
  nodes: readonly string[],
): Promise<readonly ListedGateway[]> {
  const paths = await network.resolveNodes(caller.scope, nodes)
  const kinds = deviceKind.options.filter((kind) => mayManage(caller, kind))
  const limit = MAX_EXPORTED_LOGINS
  const found = await listLogins(db, { scope: caller.scope, paths, kinds, limit: limit + 1 })
  if (found.length > limit) throw new AppError('transfer.too-many-rows', { rows: found.length, limit })
  return found
}

/** The list of an export: passwords that nobody has seen, which it claims, and who saw the others. */
async function exportLogins(
  needs: GatewayLoginsNeeds,
  call: Pick<Call, 'caller' | 'operation'>,
  nodes: readonly string[],
): Promise<ExportedLogin[]> {
  const found = await listManaged(needs, call.caller, nodes)
  const claimed = await claimPasswords(needs.db, found, toViewer(call, 'export'))
  const fresh = new Map([...claimed].map((gateway) => [gateway.id, gateway]))
  // Read again: another call may have claimed some meanwhile.
  const listed = await listManaged(needs, call.caller, nodes)
  return listed.map(({ id, name, ...gateway }) => {
    const { port: _, tlsPort: __, password, ...login } = toLogin(fresh.get(id) ?? gateway, needs)
    const seen = fresh.has(id) ? { password } : gateway.shown ? { shown: gateway.shown } : {}
    return { ...login, ...seen, id, name, serial: gateway.serial }
  })
}

/** Shows the password of each gateway once, to users who may change it, and records who saw it. */
export const createGatewayLoginHandlers = (
  needs: GatewayLoginsNeeds,
): HandlersOf<keyof typeof gatewayLoginsEndpoints> => ({
  async getGatewayLogin({ id }, { caller }) {
    const { tenant, serial, isLoginRevoked, shown, token } = await getManaged(needs.db, caller, id)
    return {
      username: toMqttUsername(tenant, serial),
      isRevoked: isLoginRevoked,
      ...(shown ? { shown } : {}),
      ...(token ? { token } : {}),
      takesTokens: needs.broker.isEmbedded,
    }
  },

  showGatewayLogin: ({ id }, call) =>
    operate(needs.db, call.operation, async (transaction) => {
      const gateway = await getManaged(transaction, call.caller, id)
      if (gateway.isLoginRevoked) throw new AppError('device.login-revoked', { device: gateway.name })
      const claimed = await claimPasswords(transaction, [gateway], toViewer(call, 'page'))
      if (!claimed.has(gateway)) throw toShownError((await findGateway(transaction, id)) ?? gateway)
      return toLogin(gateway, needs)
    }),

  async rotateGatewayLogin(item, call) {
    const login = await operate(needs.db, call.operation, async (transaction) => {
      await changeLogin(transaction, call, item, 'rotate')
      const gateway = await findGateway(transaction, item.id)
      if (!gateway) throw new AppError('device.not-found')
      await claimPasswords(transaction, [gateway], toViewer(call, 'rotation'))
      return toLogin(gateway, needs)
    })
    await needs.directory.readChanged([item.id])
    return login
  },

  async revokeGatewayLogin(item, call) {
    await operate(needs.db, call.operation, (transaction) => changeLogin(transaction, call, item, 'revoke'))
    await needs.directory.readChanged([item.id])
    return { id: item.id }
  },

  exportGatewayLogins: ({ nodes }, call) =>
    operate(needs.db, call.operation, async (transaction) => ({
      datalist: await exportLogins({ ...needs, db: transaction }, call, nodes),
    })),

  async exportBrokerLogins({ nodes }, { caller, operation }) {
    const found = await listManaged(needs, caller, nodes)
    await recordOperation(needs.db, operation, 'ok')
    return { datalist: found.map((gateway) => toBrokerLogin(toLogin(gateway, needs))) }
  },

  ...createTokenHandlers(needs),

  getGatewayRefusals: (query, { caller }) => listRefusals(needs.db, caller, query),
})
