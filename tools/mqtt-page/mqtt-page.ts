import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HEAD_TOLERANCE, OFFSET_TOLERANCE_K, OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import { toUrlPath } from '@isotherm/contract/endpoint'
import { getQuarantine } from '@isotherm/contract/endpoints/monitoring/quarantine'
import { quarantineTexts } from '@isotherm/contract/locales/requests/quarantine'
import { isCounter, type MetricDefinition, metricNames, metrics, quality } from '@isotherm/contract/metrics'
import {
  type DownChannel,
  downChannels,
  KEEP_ALIVE_S,
  MAX_CHILDREN,
  MAX_MESSAGE_BYTES,
  replyCodes,
  toDownTopic,
  toUpTopic,
  type UpChannel,
  upChannels,
} from '@isotherm/contract/mqtt'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import { RETRY_AFTER_MS } from '../../apps/server/src/modules/commands/model/timing.ts'
import { PAUSES_MS } from '../../apps/server/src/modules/telemetry/delivery/gap-watch.ts'
import { MAX_FUTURE_MS } from '../../apps/server/src/modules/telemetry/messages/parse-message.ts'
import { RIGHT_MS } from '../../apps/server/src/modules/telemetry/quality/clock-offset.ts'
import { DEFAULT_MQTT_CONNECTIONS, DEFAULT_MQTT_PENDING } from '../../apps/server/src/platform/config/mqtt.ts'
import { REMEMBERED_COMMANDS } from '../../apps/twin/src/devices/models/command-memory.ts'
import { toTable } from '../markdown-table.ts'
import { documentedMessages } from './examples.ts'
import { toFieldRows } from './field-table.ts'
import { codeMeanings, qualityMeanings, refusalMeanings } from './meanings.ts'

const upMeanings: Readonly<Record<UpChannel, string>> = {
  birth: 'the device is connected, or (as the will) is not',
  telemetry: 'readings as they are measured',
  history: 'readings that are sent late',
  event: 'readings that are sent at once because something happened',
  reply: 'stages and results of commands',
  raw: 'frames of a field bus as they are',
  unregistered: 'devices that send frames and are not in the configuration of the gateway',
}
const downMeanings: Readonly<Record<DownChannel, string>> = {
  cmd: 'commands, and requests of missing messages',
  raw: 'frames for a field bus',
  ack: 'messages up to which number are stored',
  time: 'the clock of the server',
  login: 'the own password, after a sign-in with a one-time token',
}

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

const FIELDS = ['field', 'type and range', 'obligatory', 'meaning and unit'] as const

/** Example and fields of a message. */
function toMessage(name: string): string {
  const message = documentedMessages[name]
  if (!message) throw new Error(`guide.md names the message ${name}, which has no example`)
  const { schema, example } = message
  return [json(schema.parse(example)), toTable(FIELDS, toFieldRows(schema))].join('\n\n')
}

function toTopics(): string {
  const up = upChannels.map((channel) => [
    `\`${toUpTopic('{tenant}', '{gateway}', channel)}\``,
    'device → server',
    upMeanings[channel],
  ])
  const down = downChannels.map((channel) => [
    `\`${toDownTopic('{tenant}', '{gateway}', channel)}\``,
    'server → device',
    downMeanings[channel],
  ])
  return toTable(['topic', 'direction', 'content'], [...up, ...down])
}

function toMetrics(): string {
  const named: readonly [string, MetricDefinition][] = Object.entries(metrics)
  return toTable(
    ['metric', 'name', 'unit', 'range of the sensor', 'reported by', 'id in the store'],
    named.map(([name, { id, zh, en, unit, range, kinds }]) => [
      `\`${name}\``,
      `${en} · ${zh}`,
      unit === '' ? 'count' : unit,
      `${range[0]} to ${range[1]}`,
      kinds.join(', '),
      String(id),
    ]),
  )
}

function toSchemas(): string {
  return Object.values(documentedMessages)
    .map(({ title, schema }) => {
      const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input' })
      return `### Schema of ${title}\n\n${json(described)}`
    })
    .join('\n\n')
}

const limits: readonly (readonly [string, string])[] = [
  ['payload', `${MAX_MESSAGE_BYTES / 1024} KiB`],
  ['entries of `d` or `f` in a message', `1 to ${MAX_CHILDREN}`],
  ['packet at the embedded broker', '256 KiB, with its header'],
  ['client id', '160 characters'],
  ['CONNECT after the connection', '10 s'],
  [
    'connections of one embedded broker',
    `${DEFAULT_MQTT_CONNECTIONS.toLocaleString('en')}, or as \`ISOTHERM_MQTT_CONNECTIONS\` says`,
  ],
  [
    'connections of one embedded broker before their sign-in',
    `${DEFAULT_MQTT_PENDING.toLocaleString('en')}, or as \`ISOTHERM_MQTT_PENDING\` says, half of them from one IPv4 address or /64 of IPv6; then new ones are closed, or take the place of those that wait longer than 3 s`,
  ],
  [
    'messages without PUBACK that the broker stores for a device',
    '1,000; the embedded broker only in memory',
  ],
  [
    'rate of live messages',
    'one per report period; the usual period of a wired device is 15 minutes, the shortest useful one 5 s',
  ],
  ['rate on `up/history`', '1 message per second and gateway'],
  ['commands to one gateway without an answer', '32; to a sleeping device 1'],
]

const toDuration = (ms: number): string => {
  const minutes = ms / MINUTE_MS
  if (minutes < 1) return `${ms / 1_000} s`
  return minutes < 60 ? `${minutes} min` : `${minutes / 60} h`
}
const toList = (parts: readonly string[]): string => `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`

const toNamed = <Name extends string>(head: string, meanings: Readonly<Record<Name, string>>): string =>
  toTable(
    [head, 'meaning'],
    Object.entries<string>(meanings).map(([name, meaning]) => [`\`${name}\``, meaning]),
  )

const codes: readonly (readonly [string, number])[] = Object.entries(replyCodes)
const bits: readonly (readonly [string, number])[] = Object.entries(quality)
const meaningOf = (meanings: Readonly<Record<string, string>>, name: string): string => meanings[name] ?? ''

/** Texts that replace the names in braces of guide.md. */
const quarantineMeanings = Object.fromEntries(
  Object.entries(quarantineTexts).map(([reason, { en }]) => [reason, en]),
)

const parts: Readonly<Record<string, () => string>> = {
  topics: toTopics,
  metrics: toMetrics,
  counters: () => toList(metricNames.filter(isCounter).map((name) => `\`${name}\``)),
  schemas: toSchemas,
  refusals: () => toNamed('reason', refusalMeanings),
  quarantine: () => toNamed('reason', quarantineMeanings),
  codes: () =>
    toTable(
      ['code', 'name', 'when'],
      codes.map(([name, code]) => [String(code), name, meaningOf(codeMeanings, name)]),
    ),
  quality: () =>
    toTable(
      ['bit', 'name', 'set by, and meaning'],
      bits.map(([name, bit]) => [String(bit), name, meaningOf(qualityMeanings, name)]),
    ),
  limits: () => toTable(['what', 'limit'], limits),
  quarantinePath: () => toUrlPath(getQuarantine),
  maxChildren: () => String(MAX_CHILDREN),
  maxFuture: () => String(MAX_FUTURE_MS / MINUTE_MS),
  clockRight: () => String(RIGHT_MS / 1_000),
  retries: () => toList(RETRY_AFTER_MS.map(toDuration)),
  firstGapPause: () => toDuration(PAUSES_MS[0]),
  gapPauses: () => toList(PAUSES_MS.slice(1).map(toDuration)),
  openingTolerance: () => String(OPENING_TOLERANCE_PCT),
  headTolerance: () => `${HEAD_TOLERANCE.share * 100} % and at least ${HEAD_TOLERANCE.kpa} kPa`,
  offsetTolerance: () => String(OFFSET_TOLERANCE_K),
  rememberedCommands: () => String(REMEMBERED_COMMANDS),
  keepAliveFrom: () => String(KEEP_ALIVE_S.from),
  keepAliveTo: () => String(KEEP_ALIVE_S.to),
}

function toPart(name: string): string {
  if (name.startsWith('message:')) return toMessage(name.slice('message:'.length))
  const part = parts[name]
  if (!part) throw new Error(`guide.md names ${name}, which nothing writes`)
  return part()
}

/** The guide with its generated parts, without the note about its origin. Its links lead from docs/reference. */
export const toMqttGuide = (): string =>
  readFileSync(join(import.meta.dirname, 'guide.md'), 'utf8')
    .replaceAll('](../../docs/', '](../')
    .replace(/\{\{([\w:]+)\}\}/g, (_, name: string) => toPart(name))
