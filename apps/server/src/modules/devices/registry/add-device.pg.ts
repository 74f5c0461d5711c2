import type { InputOf } from '@isotherm/contract/endpoint'
import type { insertDev } from '@isotherm/contract/endpoints/devices/devices'
import type { Transaction } from 'kysely'
import type { Call } from '../../../platform/http/call.ts'
import { refuseDuplicates } from '../../../platform/postgres/unique.pg.ts'
import { signalRegistry } from '../../../platform/signals/registry-signal.pg.ts'
import type { Tables } from '../../../platform/tables.ts'
import { lockControlledNode } from '../control/control-places.pg.ts'
import { requireManaging } from '../policy.ts'
import { fieldsByConstraint } from './change-devices.pg.ts'
import { checkCharacteristic, toStored } from './characteristic.ts'
import { lockDevices } from './device-locks.pg.ts'
import { checkConcentrator, checkKind, checkModel } from './device-rules.ts'
import { lockModel } from './model-store.pg.ts'

export type NewDevice = InputOf<typeof insertDev>

/**
 * Adds a device to a node of the caller's scope, signals the change and returns its id. Throws the errors of
 * insertDev.
 */
export async function addDevice(
  transaction: Transaction<Tables>,
  { caller }: Pick<Call, 'caller'>,
  added: NewDevice,
): Promise<number> {
  const { kind, concentratorId } = added
  requireManaging(caller, kind)
  checkKind(added)
  checkCharacteristic(added.characteristic)
  const node = await lockControlledNode(transaction, caller.scope, added.node)
  const { companyId } = node
  if (concentratorId !== undefined) {
    const locked = await lockDevices(transaction, caller.scope, [concentratorId])
    for (const concentrator of locked.values()) checkConcentrator({ kind, companyId }, concentrator)
  }
  const model = await lockModel(transaction, added.modelId)
  checkModel(kind, model)
  const { id } = await refuseDuplicates(
    fieldsByConstraint,
    transaction
      .insertInto('device')
      .values({
        company_id: companyId,
        node_id: node.id,
        kind,
        serial: added.imei,
        name: added.name,
        model: model.name,
        concentrator_id: concentratorId ?? null,
        imei: added.radioImei ?? null,
        meter_no: added.meterNo ?? null,
        period_s: added.periodS,
        min_opening_pct: added.limits?.minPct ?? null,
        max_opening_pct: added.limits?.maxPct ?? null,
        characteristic: toStored(added.characteristic),
        description: added.description,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await signalRegistry(transaction, { kind: 'devices', ids: [id] })
  return id
}
