import type { NorthboundLine } from '@isotherm/contract/gateway-config'
import type { PropertyWrite } from '@isotherm/profiles/encode-by-profile'
import { z } from 'zod'
import type { DownlinkEnd } from '../../field/radio-line.ts'
import { isCurrent, type Platform, type PlatformNeeds, parseJson, refuse } from './platform.ts'
import { isSame, signCtwingCall } from './signatures.ts'

type Ctwing = Extract<NorthboundLine['platform'], { kind: 'ctwing' }>

const head = { deviceId: z.string().min(1).max(128), timestamp: z.number().int().positive() }
const dataReport = z.object({
  ...head,
  messageType: z.literal('dataReport'),
  payload: z.record(z.string(), z.unknown()),
})
const commandResponse = z.object({
  ...head,
  messageType: z.literal('commandResponse'),
  taskId: z.union([z.string(), z.number()]),
  result: z.object({ resultCode: z.string() }),
})
const other = z.object({ ...head, messageType: z.string() })
const push = z.union([dataReport, commandResponse, other])

/** States that end a command. Before them it is queued or SENT. */
const ends: Readonly<Record<string, DownlinkEnd>> = {
  DELIVERED: 'acknowledged',
  SUCCESSFUL: 'acknowledged',
  COMPLETED: 'acknowledged',
  TIMEOUT: 'not-acknowledged',
  EXPIRED: 'expired',
  TTL_EXPIRED: 'expired',
  FAILED: 'refused',
  CANCELED: 'refused',
}

const answer = z.object({
  code: z.union([z.number(), z.string()]),
  msg: z.string().optional(),
  result: z.object({ commandId: z.union([z.string(), z.number()]) }).nullish(),
})

/** Properties of a payload by name; properties of a service also by `service.name`. */
function toValues(payload: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  const values = new Map(Object.entries(payload))
  const data = z.record(z.string(), z.unknown()).safeParse(payload.serviceData)
  if (data.success)
    for (const [name, value] of Object.entries(data.data)) values.set(`${payload.serviceId}.${name}`, value)
  return values
}

/** Ids of commands are numbers of their device. */
const toCommandId = (deviceId: string, id: string | number): string => `${deviceId} ${id}`

/** Calls of the API with the versions that they need: bytes, and a command of the product model. */
const transparent = { path: '/aep_device_command/command', version: '20190712225145' }
const byModel = { path: '/aep_device_command_lwm_profile/commandLwm2mProfile', version: '20191231141545' }
const HEXADECIMAL = 2

const toBytes = (data: Uint8Array) => ({
  content: { payload: Buffer.from(data).toString('hex').toUpperCase(), dataType: HEXADECIMAL },
})
const toCommand = ({ service, command, parameter, value }: PropertyWrite) => ({
  command: { serviceId: service, method: command, paras: { [parameter]: value } },
})

/**
 * China Telecom's CTWing (AEP). Its subscriptions sign nothing, so the secret is the last part of the address. Commands are transparent
 * ones, or those of the product model; their state comes as `commandResponse` with the id of the command as `taskId`.
 */
export function createCtwing(platform: Ctwing, needs: PlatformNeeds): Platform {
  const { url, appKey, appSecret, productId, masterKey } = platform
  return {
    read({ path, body }) {
      if (path.length !== 1 || !isSame(path[0] ?? '', needs.line.pushToken)) return refuse('wrong-signature')
      const parsed = push.safeParse(parseJson(body))
      if (!parsed.success) return refuse('malformed')
      const { data } = parsed
      if (!isCurrent(data.timestamp, needs)) return { kind: 'messages', messages: [], old: 1 }
      if ('payload' in data) {
        const { deviceId: platformId, timestamp: at, payload } = data
        return { kind: 'messages', messages: [{ kind: 'report', platformId, at, values: toValues(payload) }] }
      }
      const end = 'result' in data ? ends[data.result.resultCode] : undefined
      if (!('taskId' in data) || end === undefined) return { kind: 'messages', messages: [] }
      return {
        kind: 'messages',
        messages: [{ kind: 'end', commandId: toCommandId(data.deviceId, data.taskId), end }],
      }
    },
    toCall({ address, content, until }) {
      const timestamp = needs.now()
      const isBytes = content.kind === 'payload'
      const { path, version } = isBytes ? transparent : byModel
      const body = JSON.stringify({
        ...(isBytes ? toBytes(content.data) : toCommand(content.write)),
        deviceId: address,
        operator: 'isotherm',
        productId: Number(productId),
        ttl: Math.max(1, Math.floor((until - timestamp) / 1_000)),
        level: 1,
      })
      return {
        url: new URL(path, url),
        headers: {
          'content-type': 'application/json; charset=UTF-8',
          application: appKey,
          timestamp: String(timestamp),
          version,
          MasterKey: masterKey,
          signature: signCtwingCall({ appKey, appSecret }, timestamp, { MasterKey: masterKey }, body),
        },
        body,
        read(value) {
          const parsed = answer.safeParse(value)
          if (!parsed.success) return undefined
          const { code, msg = '', result } = parsed.data
          if (Number(code) !== 0) return { kind: 'refused', problem: `code ${code} ${msg}` }
          return result ? { kind: 'queued', commandId: toCommandId(address, result.commandId) } : undefined
        },
      }
    },
  }
}
