import { randomUUID } from 'node:crypto'
import { type Broker, startBroker } from '@isotherm/engines/broker/broker'
import { connectAsync } from 'mqtt'
import type { z } from 'zod'
import { downCommand, toDownTopic, toEventFilter } from './events.ts'

type DownCommand = z.infer<typeof downCommand>

/** A class A device: it sends, and then listens for a moment. */
export interface SimulatedRadioDevice {
  readonly devEui: string
  readonly port: number
  /** The payload of its next uplink. */
  readonly payload: () => Uint8Array
  /** A downlink has arrived. */
  readonly receive?: (data: Uint8Array, port: number) => void
}

interface DeviceState {
  readonly device: SimulatedRadioDevice
  readonly queue: DownCommand[]
  /** The confirmed downlink that waits for the device's next uplink; `isReceived`: the device has received it. */
  pending:
    | { readonly command: DownCommand; readonly isReceived: boolean; readonly fCntDown: number }
    | undefined
  fCntUp: number
  fCntDown: number
}

/** A copy without zero, false and empty values, as the JSON form of Protobuf leaves them out. */
const toWire = (message: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(message).filter(([, value]) => value !== 0 && value !== false && value !== ''),
  )

/**
 * The other side of the driver: a broker, and on it ChirpStack 4 as its source has it (chirpstack/chirpstack, v4, uplink/data.rs and
 * downlink/data.rs): an uplink is published before the acknowledgement that it carries; a downlink is sent after an uplink, one at a time;
 * one with a known id is refused; an unacknowledged one is given up with the next uplink.
 */
export async function simulateChirpstack(applicationId: string, devices: readonly SimulatedRadioDevice[]) {
  const broker: Broker = await startBroker({
    host: '127.0.0.1',
    port: 0,
    authenticate: ({ user }, password) => user === 'lora' && password === 'secret',
    mayPublish: () => true,
    maySubscribe: () => true,
    store: async () => undefined,
  })
  const url = `mqtt://127.0.0.1:${broker.port}`
  const client = await connectAsync(url, { clientId: 'chirpstack', username: 'lora', password: 'secret' })
  const states = new Map<string, DeviceState>()
  for (const device of devices)
    states.set(device.devEui, { device, queue: [], pending: undefined, fCntUp: 0, fCntDown: 0 })
  const knownIds = new Set<string>()
  const log = { refused: 0, downlinks: [] as DownCommand[] }
  const simulator = {
    url,
    log,
    /** Downlinks are lost in the air. */
    isDeaf: false,
    uplink,
    publish,
    /** Cuts the connection of a client. */
    cut: (clientId: string): void => broker.disconnect(clientId),
    isConnected: (clientId: string): boolean => broker.isConnected(clientId),
    queueOf: (devEui: string): readonly DownCommand[] => states.get(devEui)?.queue ?? [],
    async close(): Promise<void> {
      await client.endAsync(true)
      await broker.close()
    },
  }

  async function publish(devEui: string, event: string, message: Readonly<Record<string, unknown>>) {
    const body = {
      ...toWire(message),
      deviceInfo: { tenantName: 'heat', applicationId, deviceName: devEui, devEui },
    }
    const topic = toEventFilter(applicationId).replace('+', devEui).replace('+', event)
    await client.publishAsync(topic, JSON.stringify(body), { qos: 1 })
  }

  let latest = 0
  /** No two uplinks arrive in one millisecond: the air is slower. */
  const toNextTime = (): number => {
    latest = Math.max(latest + 1, Date.now())
    return latest
  }

  /** One uplink of a device, and what follows from it. `time`: when it was received, Unix ms. */
  async function uplink(devEui: string, time = toNextTime()): Promise<void> {
    const state = states.get(devEui)
    if (state === undefined) throw new Error(`no device ${devEui}`)
    const { device, queue, pending } = state
    const at = new Date(time).toISOString()
    await publish(devEui, 'up', {
      deduplicationId: randomUUID(),
      time: at,
      devAddr: '00189440',
      adr: true,
      fCnt: state.fCntUp++,
      fPort: device.port,
      data: Buffer.from(device.payload()).toString('base64'),
      rxInfo: [
        { gatewayId: '0016c001f153a14c', rssi: -97, snr: 6.5 },
        { gatewayId: '0016c001f153a14d', rssi: -61 },
      ],
    })
    if (pending !== undefined) {
      state.pending = undefined
      await publish(devEui, 'ack', {
        deduplicationId: randomUUID(),
        time: at,
        queueItemId: pending.command.id,
        acknowledged: pending.isReceived,
        fCntDown: pending.fCntDown,
      })
    }
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (next.expiresAt !== undefined && Date.parse(next.expiresAt) < Date.now()) {
        await publish(devEui, 'log', {
          time: at,
          level: 'ERROR',
          code: 'EXPIRED',
          description: 'Device queue-item discarded because it has expired',
          context: { queue_item_id: next.id },
        })
        continue
      }
      const fCntDown = state.fCntDown++
      const isReceived = !simulator.isDeaf
      if (next.confirmed) state.pending = { command: next, isReceived, fCntDown }
      log.downlinks.push(next)
      await publish(devEui, 'txack', {
        downlinkId: fCntDown + 1,
        time: at,
        queueItemId: next.id,
        fCntDown,
        gatewayId: '0016c001f153a14c',
      })
      if (isReceived) device.receive?.(Buffer.from(next.data, 'base64'), next.fPort)
      break
    }
  }

  client.on('message', (_topic, payload) => {
    const command = downCommand.parse(JSON.parse(payload.toString()))
    const queue = states.get(command.devEui)?.queue
    if (queue === undefined || knownIds.has(command.id)) {
      log.refused++
      return
    }
    knownIds.add(command.id)
    queue.push(command)
  })
  await client.subscribeAsync(toDownTopic(applicationId, '+'), { qos: 1 })
  return simulator
}

/**
 * A radiator valve as Milesight's WT101 speaks: opening in 05 92, commands FF B3 00 (temperature control off) and FF B4 (opening). It
 * shows a new opening in the uplink after the one that acknowledges it.
 */
export function simulateRadiatorValve(devEui: string, opening: number) {
  const state = { opening, writes: [] as number[] }
  const device: SimulatedRadioDevice = {
    devEui,
    port: 85,
    payload: () => Buffer.from([0x01, 0x75, 0x5f, 0x03, 0x67, 0x0a, 0x01, 0x05, 0x92, state.opening]),
    receive(data) {
      if (data.length !== 6 || data[4] !== 0xb4) return
      state.opening = data[5] ?? 0
      state.writes.push(state.opening)
    },
  }
  return { ...device, state }
}

/** A room sensor as Milesight's EM300-TH speaks; each uplink shows a tenth of a degree more than the one before. */
export function simulateRoomSensor(devEui: string) {
  const state = { tenths: 180, uplinks: 0 }
  const device: SimulatedRadioDevice = {
    devEui,
    port: 85,
    payload() {
      state.tenths++
      state.uplinks++
      const { tenths } = state
      return Buffer.from([0x01, 0x75, 0x5c, 0x03, 0x67, tenths & 0xff, tenths >> 8, 0x04, 0x68, 0x65])
    },
  }
  return { ...device, state }
}
