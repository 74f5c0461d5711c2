import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { DeviceKind } from '@isotherm/contract/devices'
import type { StoredProfile } from '@isotherm/contract/endpoints/devices/device-profiles'
import { resolveGatewayConfig } from '@isotherm/profiles/resolve-gateway-config'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { mayChangeShared, requireManaging } from '../policy.ts'
import {
  changeProfile,
  countModelsOf,
  getProfile,
  insertProfile,
  listGatewaysOf,
  listProfiles,
  removeProfile,
} from './profile-store.pg.ts'

interface Item {
  readonly id: number
  readonly version: number
}

/** Device profiles that people added. All companies share them. */
export interface DeviceProfilesService {
  list(caller: Caller): Promise<StoredProfile[]>
  add(call: Call, profile: DeviceProfile): Promise<StoredProfile>
  change(call: Call, item: Item, profile: DeviceProfile): Promise<StoredProfile>
  remove(call: Call, item: Item): Promise<void>
}

const withAbilities = (caller: Caller, row: Omit<StoredProfile, 'abilities'>): StoredProfile => ({
  ...row,
  abilities: mayChangeShared(caller, row.profile.kind) ? ['edit', 'remove'] : [],
})

/** Locks a profile for a change. Throws device-profile.not-found, access.denied and entity.stale. */
async function lockItem(transaction: Transaction<Tables>, caller: Caller, { id, version }: Item) {
  const target = { table: 'device_profile', entity: 'device-profile', id, version } as const
  if (!(await lockVersion(transaction, target))) throw new AppError('device-profile.not-found')
  const profile = await getProfile(transaction, id)
  if (!mayChangeShared(caller, profile.kind)) throw new AppError('access.denied')
  return profile
}

/** Gateways that an error names. */
const MAX_NAMED = 10

/** Throws device-profile.in-gateways with the names, if there are any. */
function requireNone(gateways: readonly { readonly name: string }[]): void {
  if (gateways.length === 0) return
  const named = gateways.slice(0, MAX_NAMED).map(({ name }) => name)
  const more = gateways.length - named.length
  throw new AppError('device-profile.in-gateways', {
    gateways: more > 0 ? `${named.join(', ')} (+${more})` : named.join(', '),
  })
}

/** Throws entity.in-use and device-profile.in-gateways. */
async function requireUnused(transaction: Transaction<Tables>, key: string): Promise<void> {
  const count = await countModelsOf(transaction, key)
  if (count > 0) throw new AppError('entity.in-use', { entity: 'device-model', count })
  requireNone(await listGatewaysOf(transaction, key))
}

/** Gateways that name a profile can go on with its new content. Throws device-profile.in-gateways. */
async function requireFit(transaction: Transaction<Tables>, profile: DeviceProfile): Promise<void> {
  const gateways = await listGatewaysOf(transaction, profile.id)
  requireNone(
    gateways.filter(({ config }) => {
      const { faults } = resolveGatewayConfig({ ...config, profiles: [...config.profiles, profile] })
      const named = new Set(
        config.lines.flatMap(({ devices }) =>
          devices.filter((device) => device.profile === profile.id).map(({ serial }) => serial),
        ),
      )
      return faults.some(({ serial }) => named.has(serial))
    }),
  )
}

const requireKind = (caller: Caller, kind: DeviceKind): void => {
  if (!mayChangeShared(caller, kind)) throw new AppError('access.denied')
}

export const createDeviceProfilesService = (db: Database): DeviceProfilesService => ({
  list: async (caller) => (await listProfiles(db)).map((row) => withAbilities(caller, row)),

  add: ({ caller, operation }, profile) =>
    operate(db, operation, async (transaction) => {
      requireManaging(caller, profile.kind)
      return withAbilities(caller, await insertProfile(transaction, profile))
    }),

  change: ({ caller, operation }, item, profile) =>
    operate(db, operation, async (transaction) => {
      const { key, kind } = await lockItem(transaction, caller, item)
      requireKind(caller, profile.kind)
      if (profile.kind !== kind) await requireUnused(transaction, key)
      if (profile.id === key) await requireFit(transaction, profile)
      else requireNone(await listGatewaysOf(transaction, key))
      return withAbilities(caller, await changeProfile(transaction, { id: item.id, key }, profile))
    }),

  remove: ({ caller, operation }, item) =>
    operate(db, operation, async (transaction) => {
      const { key } = await lockItem(transaction, caller, item)
      await requireUnused(transaction, key)
      await removeProfile(transaction, item.id)
    }),
})
