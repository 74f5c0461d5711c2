import type { DeviceKind } from '@isotherm/contract/devices'
import { addApiKey, SEND_READINGS } from '@isotherm/contract/endpoints/administration/api-keys'
import { addDevModel } from '@isotherm/contract/endpoints/devices/device-models'
import { getDevice, insertDev } from '@isotherm/contract/endpoints/devices/devices'
import { sendReadings } from '@isotherm/contract/endpoints/devices/send-readings'
import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { callFor, signInDirectly } from './api.ts'

/** Values of a heat meter by metric. */
export type MeterValues = Readonly<Record<string, number>>

export interface AddedGateway {
  /** Serial of the concentrator. */
  readonly imei: string
  /** Model for heat meters. */
  readonly meterModel: { readonly id: number; readonly name: string }
  /** Registers a heat meter behind the concentrator, at the same node. */
  addMeter(imei: string, name: string): Promise<void>
  /** Registers another device there. Returns its number. */
  add(kind: DeviceKind, imei: string, name: string): Promise<number>
  /** Sends a reading of a heat meter now, registered or not. */
  send(imei: string, values: MeterValues): Promise<void>
}

/** Registers a concentrator over HTTP, with a way to send readings as it. `unique`: a word that no other test uses. */
export async function addGateway(unique: string, name: string): Promise<AddedGateway> {
  const { first, second } = await signInDirectly('administrator')
  const query = { nodes: [], kinds: ['concentrator' as const], limiter: { page: 1, size: 1 } }
  const [other] = (await callFor(getDevsFromPrjTree, query, second)).datalist
  const { node } = await callFor(getDevice, { id: other?.id ?? 0 }, first)
  const addModel = async (kind: DeviceKind) => {
    const model = `${kind}-${unique}`
    const { id } = await callFor(addDevModel, { kind, name: model }, second)
    return { id, name: model }
  }
  const meterModel = await addModel('heat-meter')
  const { id: modelId } = await addModel('concentrator')
  const imei = `G-${unique}`
  const gateway = { kind: 'concentrator', imei, name, modelId, node, periodS: 900 }
  const { id: concentratorId } = await callFor(insertDev, gateway, second)
  const expiresAt = Date.now() + 3_600_000
  const { key } = await callFor(addApiKey, { name: unique, permissions: [SEND_READINGS], expiresAt }, second)
  const insert = async (kind: DeviceKind, serial: string, deviceName: string, model: number) => {
    const device = {
      kind,
      imei: serial,
      name: deviceName,
      modelId: model,
      concentratorId,
      node,
      periodS: 900,
    }
    return (await callFor(insertDev, device, second)).id
  }
  let seq = 0
  return {
    imei,
    meterModel,
    async addMeter(meter, meterName) {
      await insert('heat-meter', meter, meterName, meterModel.id)
    },
    add: async (kind, serial, deviceName) =>
      insert(kind, serial, deviceName, kind === 'heat-meter' ? meterModel.id : (await addModel(kind)).id),
    async send(meter, m) {
      const message = { v: 1, boot: 1, seq: seq++, ts: Date.now(), d: [{ id: meter, ts: Date.now(), m }] }
      await callFor(sendReadings, { imei, channel: 'telemetry', messages: [message] }, key)
    },
  }
}
