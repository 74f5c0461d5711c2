import { randomUUID } from 'node:crypto'
import type { ReadRequestState } from '@isotherm/contract/endpoints/devices/read-requests'
import {
  type GatewayName,
  type ReadRequest,
  type ReplyMessage,
  toDownTopic,
  toUpTopic,
} from '@isotherm/contract/mqtt'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Call, Caller } from '../../../platform/http/call.ts'
import type { Log } from '../../../platform/log.ts'
import type { RequestProperties } from '../../../platform/mqtt/broker-port.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { DeviceDirectory, DevicesService, DirectoryEntry } from '../../devices/index.ts'
import { toReadAnswer, toReadOutcome } from './read-outcome.ts'
import {
  findNewest,
  findRequest,
  type ReadRequestRow,
  storeAnswer,
  storeRequest,
} from './read-requests.pg.ts'

/** How long a person waits. A device that sleeps longer reports before it can be requested. */
const VALID_MS = MINUTE_MS
const RETAINED_MS = DAY_MS
/** Ids of these requests start with it; those of commands do not. */
const PREFIX = 'read-'

export interface ReadRequestsNeeds {
  readonly db: Database
  readonly devices: Pick<DevicesService, 'getDevices'>
  readonly directory: DeviceDirectory
  readonly publish: (topic: string, payload: string, request: RequestProperties) => Promise<void>
  readonly isConnected: (gateway: GatewayName) => boolean
  readonly clock: Clock
  readonly log: Log
}

/** Requests to devices for their present values. They are stored, because another replica may receive the reply. */
export interface ReadRequests {
  /** Throws device.not-found, device.retired. */
  request(call: Pick<Call, 'caller' | 'operation'>, deviceId: number): Promise<ReadRequestState>
  /** The newest request of a device. Throws device.not-found. */
  find(caller: Caller, deviceId: number): Promise<ReadRequestState | null>
  /** Stores a reply of a gateway. Returns the device, or undefined if it is the answer to no request to this gateway. */
  accept(from: GatewayName, reply: ReplyMessage): Promise<number | undefined>
}

export const isReadRequest = (id: string): boolean => id.startsWith(PREFIX)

export function createReadRequests(needs: ReadRequestsNeeds): ReadRequests {
  const { db, directory, clock, log } = needs

  function toState(row: ReadRequestRow): ReadRequestState {
    const outcome = toReadOutcome(row, clock.now())
    return {
      id: row.id,
      deviceId: row.device_id,
      actor: row.actor,
      requestedAt: row.created_ms,
      ...(row.accepted_ms === null ? {} : { gatewayAt: row.accepted_ms }),
      ...(outcome === 'waiting' ? {} : { endedAt: row.ended_ms ?? row.expires_ms }),
      outcome,
      ...(row.code === null ? {} : { code: row.code }),
      ...(row.detail ? { detail: row.detail } : {}),
    }
  }

  const nameOf = (device: DirectoryEntry): GatewayName => ({
    tenant: device.tenant,
    gateway: directory.gatewayOf(device),
  })

  async function send(row: ReadRequestRow, device: DirectoryEntry): Promise<void> {
    const { tenant, gateway } = nameOf(device)
    const message: ReadRequest = {
      v: 1,
      id: row.id,
      dev: device.serial,
      do: 'read',
      iat: row.created_ms,
      exp: row.expires_ms,
    }
    await needs.publish(toDownTopic(tenant, gateway, 'cmd'), JSON.stringify(message), {
      id: row.id,
      replyTo: toUpTopic(tenant, gateway, 'reply'),
      expiresAt: row.expires_ms,
    })
  }

  return {
    async request({ caller, operation }, deviceId) {
      const [known] = await needs.devices.getDevices(caller.scope, [deviceId])
      const device = directory.findById(deviceId)
      if (!known || !device) throw new AppError('device.not-found')
      if (known.use === 'retired') throw new AppError('device.retired', { device: known.name })
      const now = clock.now()
      const isSent = needs.isConnected(nameOf(device))
      const made: ReadRequestRow = {
        id: `${PREFIX}${randomUUID()}`,
        device_id: deviceId,
        actor: operation.account,
        created_ms: now,
        expires_ms: now + VALID_MS,
        is_sent: isSent,
        accepted_ms: null,
        ended_ms: isSent ? null : now,
        code: null,
        detail: null,
      }
      const row = await operate(db, operation, (transaction) =>
        storeRequest(transaction, made, { now, retainedSince: now - RETAINED_MS }),
      )
      // A message that is lost ends as a silent gateway.
      if (row.id === made.id && isSent)
        send(row, device).catch((error: unknown) =>
          log.warn({ err: error, request: row.id }, 'could not ask a device for its values'),
        )
      return toState(row)
    },

    async find({ scope }, deviceId) {
      await needs.devices.getDevices(scope, [deviceId])
      const row = await findNewest(db, deviceId)
      return row && row.created_ms > clock.now() - RETAINED_MS ? toState(row) : null
    },

    async accept(from, reply) {
      const row = await findRequest(db, reply.id)
      const device = row && directory.findById(row.device_id)
      if (!device || device.serial !== reply.dev) return undefined
      const { tenant, gateway } = nameOf(device)
      if (tenant !== from.tenant || gateway !== from.gateway) return undefined
      await storeAnswer(db, reply.id, toReadAnswer(reply, clock.now()))
      return device.id
    },
  }
}
