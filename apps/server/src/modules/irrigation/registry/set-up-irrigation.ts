import type { RegistryFile } from '@isotherm/contract/network/registry-file'
import type { RegistryIrrigation } from '@isotherm/contract/network/registry-irrigation'
import { type FindAccess, findCaller } from '../../../platform/caller-of-account.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { toSystemOperation } from '../../../platform/operation/operation.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { SettingsCall, SettingsService } from '../settings/settings-service.ts'
import { findCompanyId, findKeeper, hadSources, listDeviceIds, listNodeKeys } from './registered.pg.ts'

interface SetUpNeeds {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly findAccess: FindAccess
  readonly settings: Pick<SettingsService, 'setSource' | 'setGroup' | 'setProgram'>
}

/** Finds what a file names; throws for a name that was not imported or was removed since. */
const finder =
  <Value>(what: string, values: ReadonlyMap<string, Value>) =>
  (name: string): Value => {
    const value = values.get(name)
    if (value === undefined)
      throw new Error(`the registry file names the ${what} ${name}, which is not there`)
    return value
  }

async function setUpSource(
  { settings }: SetUpNeeds,
  call: () => SettingsCall,
  { node, settings: own, station, meter, rain, groups, programs }: RegistryIrrigation,
  find: { readonly node: (key: string) => string; readonly device: (serial: string) => number },
): Promise<void> {
  const devices = {
    ...(station === undefined ? {} : { stationId: find.device(station) }),
    ...(meter === undefined ? {} : { meterId: find.device(meter) }),
    ...(rain === undefined ? {} : { rainId: find.device(rain) }),
  }
  const { id: sourceId } = await settings.setSource(call(), {
    node: find.node(node),
    settings: { ...own, ...devices },
  })
  const groupIds = new Map<string, number>()
  for (const { key, valves, probes, ...group } of groups) {
    const probeIds = probes === undefined ? {} : { probeIds: probes.map(find.device) }
    const placed = valves.map(({ serial, ...valve }) => ({ ...valve, deviceId: find.device(serial) }))
    const source = await settings.setGroup(call(), {
      sourceId,
      settings: { ...group, valves: placed, ...probeIds },
    })
    const id = source.groups.at(-1)?.id
    if (id !== undefined) groupIds.set(key, id)
  }
  const findGroup = finder('group', groupIds)
  for (const { plan, ...program } of programs) {
    const entries = plan.entries.map(({ group, runS }) => ({ groupId: findGroup(group), runS }))
    await settings.setProgram(call(), { sourceId, settings: { ...program, plan: { ...plan, entries } } })
  }
}

/**
 * Sets up the irrigation of a registry file as its keeper would, in the name of the demo account that may irrigate. Only
 * in a database that never had a source, so that what somebody changed or removed stays so.
 */
export async function setUpIrrigation(
  needs: SetUpNeeds,
  { company, irrigation = [] }: Pick<RegistryFile, 'company' | 'irrigation'>,
): Promise<void> {
  const { db, clock, log, findAccess } = needs
  if (irrigation.length === 0 || (await hadSources(db))) return
  const [companyId, keeper] = [await findCompanyId(db, company.tenant), await findKeeper(db)]
  const caller = keeper && (await findCaller(findAccess, { accountId: keeper.id, account: keeper.account }))
  if (companyId === undefined || keeper === undefined || caller === undefined) return
  const call = (): SettingsCall => ({
    caller,
    operation: {
      ...toSystemOperation('registry-file', clock.now()),
      accountId: keeper.id,
      account: keeper.account,
      companyId,
    },
  })
  try {
    const find = {
      node: finder('node', await listNodeKeys(db, companyId)),
      device: finder('device', await listDeviceIds(db, companyId)),
    }
    for (const source of irrigation) await setUpSource(needs, call, source, find)
  } catch (error) {
    log.error({ err: error, tenant: company.tenant }, 'the irrigation of the registry file was not set up')
  }
}
