import type { IncomingMessage } from 'node:http'
import type { NorthboundLine } from '@isotherm/contract/gateway-config'
import type { UnregisteredContent } from '@isotherm/contract/mqtt'
import { MINUTE_MS, SECOND_MS } from '@isotherm/kernel/durations'
import type { DriverNeeds, PrepareDriver } from '../../field/driver.ts'
import type { Ports } from '../../field/ports.ts'
import type { DownlinkEnd, RadioDownlink, RadioDriverLine } from '../../field/radio-line.ts'
import { createCtwing } from './ctwing.ts'
import { createIotda } from './iotda.ts'
import { type Answer, serveHttp } from './listener.ts'
import { createOnenet } from './onenet.ts'
import {
  type Call,
  type Platform,
  type PlatformMessage,
  type PlatformNeeds,
  type Push,
  parseJson,
  type SendOutcome,
  toSequence,
} from './platform.ts'
import { createRefusals, messages } from './refusals.ts'

export interface NorthboundOptions {
  readonly ports: Ports
  readonly now: () => number
  /** Resolves when all readings so far are on the disk. */
  readonly stored: () => Promise<void>
}

type LineOptions = Pick<NorthboundOptions, 'now' | 'stored'> & Pick<DriverNeeds, 'report' | 'onUnknownDevice'>

/** Maximum number of unconfigured devices that are reported in the log. */
const MAX_REPORTED = 100
/** Time after the validity of a command in which its result may still arrive, ms. */
const END_MS = MINUTE_MS
const CALL_MS = 15 * SECOND_MS
/** The answers of the APIs are some hundred bytes of JSON; a page of a proxy is longer. */
const MAX_ANSWER_BYTES = 64 * 1024
/** Maximum number of command results that arrived before the answer to the call that sent the command. */
const MAX_EARLY = 1_000

const statuses = { 'wrong-signature': 401, malformed: 400, replayed: 403 } as const

function createPlatform(needs: PlatformNeeds): Platform {
  const { platform } = needs.line
  switch (platform.kind) {
    case 'ctwing':
      return createCtwing(platform, needs)
    case 'onenet':
      return createOnenet(platform, needs)
    case 'iotda':
      return createIotda(platform, needs)
  }
}

/** The text of an answer; empty if it is longer than any of an API, so that it is not understood. */
async function readAnswer({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.byteLength
    if (bytes > MAX_ANSWER_BYTES) return ''
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}

/** Calls the API once, without retries: a repeated call would be a second command. */
async function send({ url, headers, body, read }: Call): Promise<SendOutcome> {
  let status = 0
  let text = ''
  try {
    const signal = AbortSignal.timeout(CALL_MS)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal })
    status = response.status
    text = await readAnswer(response)
  } catch (error) {
    return { kind: 'unknown', problem: error instanceof Error ? error.name : 'no answer' }
  }
  const outcome = read(parseJson(text))
  if (outcome !== undefined && (status < 300 || outcome.kind === 'refused')) return outcome
  return { kind: status >= 400 && status < 500 ? 'refused' : 'unknown', problem: `HTTP status ${status}` }
}

/** Maximum number of values of an unregistered device that are passed on. */
const MAX_VALUES = 32
const MAX_VALUE_LENGTH = 1_024
const MAX_HEX_LENGTH = 1_024

/** The content of a report of an unregistered device, cut to the size of a message. */
function toUnregisteredContent(
  values: ReadonlyMap<string, unknown>,
  data: Uint8Array | undefined,
): UnregisteredContent {
  const p: Record<string, number | boolean | string> = {}
  for (const [name, value] of [...values].slice(0, MAX_VALUES)) {
    const isPlain = typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
    const isText = typeof value === 'string' && value.length <= MAX_VALUE_LENGTH
    if (name !== '' && name.length <= 120 && (isPlain || isText)) p[name] = value
  }
  const hex = data === undefined ? '' : Buffer.from(data).toString('hex')
  return { p, ...(hex !== '' && hex.length <= MAX_HEX_LENGTH ? { hex } : {}) }
}

/** Handles the devices of one platform. */
function servePlatform(
  line: NorthboundLine,
  to: RadioDriverLine,
  { now, stored, report, onUnknownDevice }: LineOptions,
) {
  const { id, frames } = line
  const platform = createPlatform({ line, now })
  const pending = new Map<string, (end: DownlinkEnd) => void>()
  const early = new Map<string, DownlinkEnd>()
  const reported = new Set<string>()
  const reportOfLine = (text: string): void => report(`line ${id}: ${text}`)
  const refusals = createRefusals(reportOfLine, now)
  const dropped = createRefusals(reportOfLine, now, messages)
  let lastProblem = ''
  const reportOnce = (text: string): void => {
    if (text !== lastProblem) report(`line ${id}: ${text}`)
    lastProblem = text
  }

  async function enqueue(downlink: RadioDownlink): Promise<DownlinkEnd> {
    const call = platform.toCall(downlink)
    if (call === undefined) {
      reportOnce(
        'a command has no place in the configuration: `frames.down`, or the parameter of the profile',
      )
      return 'refused'
    }
    const outcome = await send(call)
    if (outcome.kind !== 'queued') {
      reportOnce(`a command was not accepted: ${outcome.problem.slice(0, 200)}`)
      // A command that the platform may have received is not sent again; the reports of the device show its result.
      return outcome.kind === 'refused' ? 'refused' : 'not-acknowledged'
    }
    lastProblem = ''
    const { commandId } = outcome
    const known = early.get(commandId)
    early.delete(commandId)
    if (known !== undefined) return known
    const { promise, resolve } = Promise.withResolvers<DownlinkEnd>()
    const leftMs = Math.max(downlink.until - now(), 0) + END_MS
    const timer = setTimeout(() => resolve('not-acknowledged'), leftMs)
    pending.set(commandId, resolve)
    const end = await promise
    clearTimeout(timer)
    pending.delete(commandId)
    return end
  }

  function settle(commandId: string, end: DownlinkEnd): void {
    const waiting = pending.get(commandId)
    if (waiting === undefined) early.set(commandId, end)
    else waiting(end)
    const [oldest] = early.keys()
    if (early.size > MAX_EARLY && oldest !== undefined) early.delete(oldest)
  }

  /** The bytes of a frame that arrives as a property. */
  function toData(values: ReadonlyMap<string, unknown>): Uint8Array | undefined {
    const value = values.get(frames.up)
    return typeof value === 'string' ? Buffer.from(value.trim(), frames.encoding) : undefined
  }

  function take(message: PlatformMessage): void {
    if (message.kind === 'end') {
      settle(message.commandId, message.end)
      return
    }
    const { platformId, at, values } = message
    const sequence = toSequence(JSON.stringify([...values]))
    const data = toData(values)
    const content = { values, ...(data === undefined ? {} : { data }) }
    const key = `${platformId} ${at} ${sequence}`
    if (to.reported({ address: platformId, key, content, at, sequence, rssi: undefined })) return
    onUnknownDevice({ line: id, address: platformId.slice(0, 128), ...toUnregisteredContent(values, data) })
    if (reported.has(platformId) || reported.size >= MAX_REPORTED) return
    reported.add(platformId)
    report(`line ${id}: a device that the configuration does not have reports: ${platformId.slice(0, 64)}`)
  }

  to.opened({ enqueue })
  return {
    async answer(push: Push): Promise<Answer> {
      const outcome = platform.read(push)
      if (outcome.kind === 'echo') return { status: 200, text: outcome.text }
      if (outcome.kind === 'refused') {
        const { reason } = outcome
        refusals.add(reason)
        return { status: statuses[reason], text: JSON.stringify({ error: reason }) }
      }
      if (outcome.old) dropped.add('too-old', outcome.old)
      for (const message of outcome.messages) take(message)
      await stored()
      // Also acknowledged for an unknown device: after some failures a platform would stop the pushes of all devices.
      return { status: 200, text: JSON.stringify({ code: 0 }) }
    },
    close(): void {
      to.closed()
      for (const end of pending.values()) end('not-acknowledged')
    },
  }
}

function toPush(request: IncomingMessage, path: readonly string[], url: URL, body: string): Push {
  return {
    method: request.method ?? '',
    path,
    query: url.searchParams,
    header: (name) => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : ''
    },
    body,
  }
}

/**
 * Driver of IoT platforms of mobile operators: they push reports to the port of the gateway and accept commands
 * through their API.
 */
export const createNorthbound =
  ({ ports, ...options }: NorthboundOptions): PrepareDriver<'northbound-http'> =>
  async ({ config: { push }, report, onUnknownDevice }) => {
    if (push === undefined) return { start: () => undefined, close: async () => undefined }
    const held = await ports.hold(push.host, push.port)
    const refusals = createRefusals((text) => report(`port of the pushes: ${text}`), options.now)
    const platforms = new Map<string, ReturnType<typeof servePlatform>>()
    let stop = (): void => undefined
    return {
      port: held.port,
      start(lines) {
        for (const { config, line } of lines)
          platforms.set(config.id, servePlatform(config, line, { ...options, report, onUnknownDevice }))
        stop = serveHttp(held, {
          refused: refusals.add,
          async handle(request, body) {
            const url = new URL(request.url ?? '/', 'http://gateway')
            const [root, id = '', ...path] = url.pathname.split('/').slice(1)
            const platform = root === 'push' ? platforms.get(id) : undefined
            const isRead = request.method === 'GET' || request.method === 'POST'
            if (platform !== undefined && isRead) return platform.answer(toPush(request, path, url, body))
            refusals.add('unknown address')
            return { status: 404, text: JSON.stringify({ error: 'unknown-address' }) }
          },
        })
      },
      async close() {
        const released = held.release()
        stop()
        for (const platform of platforms.values()) platform.close()
        await released
      },
    }
  }
