import { createHash } from 'node:crypto'
import type { NorthboundLine } from '@isotherm/contract/gateway-config'
import { z } from 'zod'
import type { DownlinkEnd, RadioDownlink } from '../../field/radio-line.ts'
import {
  isCurrent,
  type Platform,
  type PlatformMessage,
  type PlatformNeeds,
  type Push,
  parseJson,
  refuse,
  splitTarget,
  withoutOld,
} from './platform.ts'
import { isSame, signHuaweiCall, signIotdaPush } from './signatures.ts'

type Iotda = Extract<NorthboundLine['platform'], { kind: 'iotda' }>

const header = z.object({ device_id: z.string().min(1).max(256) })
const event = { event_time: z.string(), event_time_ms: z.string().optional() }
const propertyReport = z.object({
  ...event,
  resource: z.literal('device.property'),
  notify_data: z.object({
    header,
    body: z.object({
      services: z.array(
        z.object({
          service_id: z.string(),
          properties: z.record(z.string(), z.unknown()),
          event_time: z.string().nullish(),
        }),
      ),
    }),
  }),
})
const commandStatus = z.object({
  ...event,
  resource: z.literal('device.command.status'),
  notify_data: z.object({ header, body: z.object({ command_id: z.string(), status: z.string() }) }),
})
const push = z.union([propertyReport, commandStatus, z.object({ resource: z.string() })])

/** States that end a command; PENDING and SENT do not. */
const ends: Readonly<Record<string, DownlinkEnd>> = {
  DELIVERED: 'acknowledged',
  SUCCESSFUL: 'acknowledged',
  TIMEOUT: 'not-acknowledged',
  EXPIRED: 'expired',
  FAILED: 'refused',
}

const answer = z.object({
  command_id: z.string().optional(),
  error_code: z.string().optional(),
  error_msg: z.string().optional(),
})

/** An instant of the platform, `20151212T121212Z` or with milliseconds as ISO 8601, in Unix ms. */
export function toInstant(text: string): number {
  const short = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text)
  if (short === null) return Date.parse(text)
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = short.slice(1).map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** The time of a signature, in Unix ms: it is given in s or ms. */
const toSignedAt = (text: string): number => {
  const value = /^\d{10,13}$/.test(text) ? Number(text) : Number.NaN
  return value < 1e12 ? 1_000 * value : value
}

const MAX_NONCES = 20_000
const SERVICE = 'iotdm'
const toSdkDate = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')

/**
 * Huawei Cloud IoTDA. With a token, a rule action signs time and nonce of a push, and not its body: a nonce is accepted for one body
 * only. Without one, the token is the last part of the address. Commands are asynchronous ones that wait for the device (`delay`).
 */
export function createIotda(platform: Iotda, needs: PlatformNeeds): Platform {
  const { url, projectId, accessKey, secretKey, instanceId, region } = platform
  /** Checksum of the body of each nonce. */
  const digests = new Map<string, string>()

  function isReplayed(nonce: string, body: string): boolean {
    const digest = createHash('sha256').update(body).digest('base64')
    const known = digests.get(nonce)
    digests.set(nonce, known ?? digest)
    const [oldest] = digests.keys()
    if (digests.size > MAX_NONCES && oldest !== undefined) digests.delete(oldest)
    return known !== undefined && known !== digest
  }

  /** The signed nonce of a push, which must not occur with two bodies; or why the push is refused. */
  function readSignature(path: Push['path'], of: Push['header']): string {
    const [timestamp, nonce, signature] = [of('timestamp'), of('nonce'), of('signature')]
    if (path.length > 0 || timestamp === '' || nonce === '') return 'wrong-signature'
    const expected = signIotdaPush(needs.line.pushToken, timestamp, nonce)
    if (!isSame(signature.toLowerCase(), expected)) return 'wrong-signature'
    return isCurrent(toSignedAt(timestamp), needs) ? `${timestamp} ${nonce}` : 'too-old'
  }

  /** The services that a device reported at one instant are one report. */
  function toReports({ notify_data: { header: of, body }, ...whole }: z.infer<typeof propertyReport>) {
    const byTime = new Map<number, Map<string, unknown>>()
    for (const { service_id: service, properties, event_time: time } of body.services) {
      const at = toInstant(time ?? whole.event_time_ms ?? whole.event_time)
      const values = byTime.get(at) ?? new Map<string, unknown>()
      for (const [name, value] of Object.entries(properties)) values.set(`${service}.${name}`, value)
      byTime.set(at, values)
    }
    return [...byTime].map(
      ([at, values]): PlatformMessage => ({ kind: 'report', platformId: of.device_id, at, values }),
    )
  }

  function toCommand({ content }: RadioDownlink) {
    if (content.kind === 'properties') {
      const { service, command, parameter, value } = content.write
      return { service_id: service, command_name: command, paras: { [parameter]: value } }
    }
    const { down, encoding } = needs.line.frames
    const target = down === undefined ? undefined : splitTarget(down, '.')
    if (target === undefined) return undefined
    const [service, command, parameter] = target
    const text = Buffer.from(content.data).toString(encoding)
    return { service_id: service, command_name: command, paras: { [parameter]: text } }
  }

  return {
    read({ path, header: of, body }) {
      const isByAddress = path.length === 1 && isSame(path[0] ?? '', needs.line.pushToken)
      const signed = isByAddress ? undefined : readSignature(path, of)
      if (signed === 'wrong-signature') return refuse(signed)
      if (signed === 'too-old') return { kind: 'messages', messages: [], old: 1 }
      const parsed = push.safeParse(parseJson(body))
      if (!parsed.success) return refuse('malformed')
      if (signed !== undefined && isReplayed(signed, body)) return refuse('replayed')
      const { data } = parsed
      if (!('notify_data' in data)) return { kind: 'messages', messages: [] }
      if (data.resource === 'device.property') {
        const messages = toReports(data)
        const isClear = messages.every((each) => each.kind === 'report' && Number.isFinite(each.at))
        if (!isClear) return refuse('malformed')
        // With a signature its time is the one that counts: the platform stores messages for a day while it cannot push.
        return isByAddress ? withoutOld(messages, needs) : { kind: 'messages', messages }
      }
      const { command_id: commandId, status } = data.notify_data.body
      const end = ends[status]
      return { kind: 'messages', messages: end === undefined ? [] : [{ kind: 'end', commandId, end }] }
    },
    toCall(downlink) {
      const command = toCommand(downlink)
      if (command === undefined) return undefined
      const at = needs.now()
      const expireS = Math.min(172_800, Math.max(1, Math.floor((downlink.until - at) / 1_000)))
      const body = JSON.stringify({ ...command, expire_time: expireS, send_strategy: 'delay' })
      const path = `/v5/iot/${projectId}/devices/${downlink.address}/async-commands`
      const address = new URL(path, url)
      const headers = {
        'content-type': 'application/json',
        'x-sdk-date': toSdkDate(at),
        ...(instanceId === undefined ? {} : { 'instance-id': instanceId }),
      }
      const scope = region === undefined ? {} : { scope: `${region}/${SERVICE}` }
      const call = { method: 'POST', url: address, headers, body }
      return {
        url: address,
        headers: { ...headers, authorization: signHuaweiCall(call, { accessKey, secretKey, ...scope }) },
        body,
        read(value) {
          const parsed = answer.safeParse(value)
          if (!parsed.success) return undefined
          const { command_id: commandId, error_code: code, error_msg: text = '' } = parsed.data
          if (code !== undefined) return { kind: 'refused', problem: `code ${code} ${text}` }
          return commandId === undefined ? undefined : { kind: 'queued', commandId }
        },
      }
    },
  }
}
