import type { NorthboundLine } from '@isotherm/contract/gateway-config'
import { z } from 'zod'
import type { DownlinkEnd, RadioDownlink } from '../../field/radio-line.ts'
import {
  type Platform,
  type PlatformMessage,
  type PlatformNeeds,
  type PushOutcome,
  parseJson,
  refuse,
  splitTarget,
  withoutOld,
} from './platform.ts'
import { readRawMember } from './raw-member.ts'
import { decryptOnenetPush, isSame, signOnenetPush, toOnenetToken } from './signatures.ts'

type Onenet = Extract<NorthboundLine['platform'], { kind: 'onenet' }>

/**
 * Envelope of a push. Today's push service sends the message as text, the NB-IoT suite as an object or a list of
 * them.
 */
const envelope = z.object({
  msg: z.unknown(),
  nonce: z.string().min(1).max(64),
  signature: z.string().optional(),
  msg_signature: z.string().optional(),
})

const name = z.union([z.string(), z.number()])
/** NB-IoT suite: a value of a resource. */
const dataPoint = z.object({
  type: z.literal(1),
  imei: name.optional(),
  dev_id: name.optional(),
  ds_id: z.string(),
  at: z.number(),
  value: z.unknown(),
})
/** NB-IoT suite: the state of a cached command. */
const commandState = z.object({
  type: z.literal(7),
  cmd_id: z.string(),
  cmd_type: z.number().optional(),
  send_status: z.number().optional(),
  confirm_status: z.coerce.number().optional(),
})
/** Product model: values of properties, each with its time. */
const notify = z.object({
  messageType: z.literal('notify'),
  notifyType: z.literal('property'),
  imei: name.optional(),
  deviceName: z.string().optional(),
  data: z.object({ params: z.record(z.string(), z.object({ time: z.number(), value: z.unknown() })) }),
})

/**
 * States that end a cached command; in the states 1 (waiting), 3 (sent) and 5 (waits for the device) it continues.
 */
const sendEnds: Readonly<Record<number, DownlinkEnd>> = { 2: 'refused', 4: 'expired', 6: 'not-acknowledged' }
const CONFIRMED = 0
const CONFIRM_TIMEOUT = 5

function toEnd({
  cmd_type,
  send_status,
  confirm_status,
}: z.infer<typeof commandState>): DownlinkEnd | undefined {
  if (confirm_status !== undefined) {
    if (confirm_status === CONFIRMED) return 'acknowledged'
    return confirm_status === CONFIRM_TIMEOUT ? 'not-acknowledged' : 'refused'
  }
  if (send_status !== undefined) return sendEnds[send_status]
  // The acknowledgement or the answer of the device.
  return cmd_type === 1 || cmd_type === 2 ? 'acknowledged' : undefined
}

/** Groups properties that were measured at one instant into one report. */
function toReports({ imei, deviceName, data }: z.infer<typeof notify>): readonly PlatformMessage[] {
  const byTime = new Map<number, Map<string, unknown>>()
  for (const [property, { time, value }] of Object.entries(data.params)) {
    const values = byTime.get(time) ?? new Map<string, unknown>()
    values.set(property, value)
    byTime.set(time, values)
  }
  const platformId = String(imei ?? deviceName ?? '')
  return [...byTime].map(([at, values]): PlatformMessage => ({ kind: 'report', platformId, at, values }))
}

function toMessages(value: unknown): readonly PlatformMessage[] {
  if (Array.isArray(value)) return value.flatMap((each) => toMessages(each))
  const point = dataPoint.safeParse(value)
  if (point.success) {
    const { imei, dev_id: id, ds_id: stream, at, value: of } = point.data
    return [{ kind: 'report', platformId: String(imei ?? id ?? ''), at, values: new Map([[stream, of]]) }]
  }
  const state = commandState.safeParse(value)
  const end = state.success ? toEnd(state.data) : undefined
  if (state.success) return end === undefined ? [] : [{ kind: 'end', commandId: state.data.cmd_id, end }]
  const properties = notify.safeParse(value)
  return properties.success ? toReports(properties.data) : []
}

const answer = z.object({
  errno: z.number(),
  error: z.string().optional(),
  data: z.object({ uuid: z.string() }).nullish(),
})

/** Validity of the token of a call, s. */
const TOKEN_S = 600
/** Replaces the value of the resource. */
const WRITE_MODE = 2
const OPAQUE = 1
/** Local time of the platform, without a zone: UTC+8. */
const toPlatformTime = (ms: number): string => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 19)

/**
 * China Mobile's OneNET, LwM2M. A push has a signature of its message; a check of the address is answered with its message. Commands are
 * cached writes of a resource.
 */
export function createOnenet(platform: Onenet, needs: PlatformNeeds): Platform {
  const { url, version, res, accessKey, aesKey } = platform
  const { pushToken, frames } = needs.line
  const isSigned = (text: string, nonce: string, signature: string): boolean =>
    isSame(signature, signOnenetPush(pushToken, nonce, text))

  function check(query: URLSearchParams): PushOutcome {
    const [text, nonce] = [query.get('msg') ?? '', query.get('nonce') ?? '']
    // The plus signs of Base64 are spaces in a query.
    const signature = (query.get('signature') ?? '').replaceAll(' ', '+')
    return text !== '' && isSigned(text, nonce, signature)
      ? { kind: 'echo', text }
      : refuse('wrong-signature')
  }

  /** The value of a message; undefined if it cannot be read. */
  function open(text: string): unknown {
    const plain = parseJson(text)
    if (plain !== undefined || aesKey === undefined) return plain
    const decrypted = decryptOnenetPush(aesKey, text)
    return decrypted === undefined ? undefined : parseJson(decrypted)
  }

  /** Address and value of a write. A frame is opaque bytes. */
  function toWrite({ content }: RadioDownlink) {
    const target = content.kind === 'properties' ? content.write.parameter : frames.down
    const ids = target === undefined ? undefined : splitTarget(target, '_')
    if (ids === undefined || !ids.every((id) => /^\d+$/.test(id))) return undefined
    const [object, instance, resource] = ids
    const value =
      content.kind === 'properties'
        ? { val: content.write.value }
        : { type: OPAQUE, val: Buffer.from(content.data).toString('hex').toUpperCase() }
    return { object, instance, data: [{ res_id: Number(resource), ...value }] }
  }

  return {
    read({ method, path, query, body }) {
      if (path.length > 0) return refuse('wrong-signature')
      if (method === 'GET') return check(query)
      const parsed = envelope.safeParse(parseJson(body))
      if (!parsed.success) return refuse('malformed')
      const { msg, nonce, signature, msg_signature: older } = parsed.data
      // The signature is that of the text as it was sent.
      const text = typeof msg === 'string' ? msg : readRawMember(body, 'msg')
      if (text === undefined) return refuse('malformed')
      if (!isSigned(text, nonce, signature ?? older ?? '')) return refuse('wrong-signature')
      const value = open(text)
      if (value === undefined) return refuse('malformed')
      return withoutOld(toMessages(value), needs)
    },
    toCall(downlink) {
      const write = toWrite(downlink)
      if (write === undefined) return undefined
      const address = new URL(
        version === '2018-10-31' ? '/nbiot/offline' : '/LwM2M-offline?action=write',
        url,
      )
      address.searchParams.set('imei', downlink.address)
      address.searchParams.set('obj_id', write.object)
      address.searchParams.set('obj_inst_id', write.instance)
      address.searchParams.set('mode', String(WRITE_MODE))
      address.searchParams.set('expired_time', toPlatformTime(downlink.until))
      // The platform must not try again after a lost answer: that would be a second write.
      address.searchParams.set('retry', '0')
      const et = Math.floor(needs.now() / 1_000) + TOKEN_S
      return {
        url: address,
        headers: {
          'content-type': 'application/json',
          authorization: toOnenetToken({ version, res, accessKey, et }),
        },
        body: JSON.stringify({ data: write.data }),
        read(value) {
          const parsed = answer.safeParse(value)
          if (!parsed.success) return undefined
          const { errno, error = '', data } = parsed.data
          if (errno !== 0) return { kind: 'refused', problem: `errno ${errno} ${error}` }
          return data ? { kind: 'queued', commandId: data.uuid } : undefined
        },
      }
    },
  }
}
