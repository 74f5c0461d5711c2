import { replyMessage } from '@isotherm/contract/mqtt'
import type { DirectoryEntry } from '../../modules/devices/index.ts'
import { parseReadings, readJson } from '../../modules/telemetry/messages/parse-message.ts'
import { readUnknownChild, toUnregisteredReports } from '../../modules/telemetry/messages/unregistered.ts'
import { parseFrames } from '../../modules/telemetry/raw/raw-frame.ts'
import type { FuzzTarget } from './fuzz.testkit.ts'

const RECEIVED = 1_800_000_000_000

const device: DirectoryEntry = {
  id: 7,
  tenant: 'demo',
  serial: 'v1',
  kind: 'valve',
  path: '/1/',
  concentratorId: undefined,
  periodS: 5,
}
const findDevice = (id: string): DirectoryEntry | undefined => (id === 'v1' ? device : undefined)

function readReadings(bytes: Buffer): string {
  const parsed = parseReadings(bytes, {
    received: RECEIVED,
    retainedSince: RECEIVED - 1,
    setBackMs: 0,
    findDevice,
    offsetOf: () => 0,
  })
  if (parsed.kind === 'rejected') return parsed.reason
  for (const { part } of parsed.rejects) readUnknownChild(part)
  const reasons = new Set(parsed.rejects.map(({ reason }) => reason))
  return `readings ${parsed.samples.length > 0} ${[...reasons].toSorted().join(' ')}`
}

function readFrames(bytes: Buffer): string {
  const parsed = parseFrames(bytes, { gatewayId: 1, received: RECEIVED, findDevice, nextPart: () => 0 })
  if (parsed.kind === 'rejected') return `frames ${parsed.reason}`
  const reasons = new Set(parsed.rejects.map(({ reason }) => reason))
  return `frames ${parsed.number !== undefined} ${[...reasons].toSorted().join(' ')}`
}

function readUnregistered(bytes: Buffer): string {
  const read = readJson(bytes)
  if (read.kind === 'rejected') return read.reason
  const reports = toUnregisteredReports(read.value, { gateway: { id: 1 }, received: RECEIVED })
  return `unregistered ${reports?.map(({ via }) => via).join(' ')}`
}

function readReply(bytes: Buffer): string {
  const read = readJson(bytes)
  if (read.kind === 'rejected') return read.reason
  const reply = replyMessage.safeParse(read.value)
  return reply.success ? 'a reply' : `no reply ${reply.error.issues[0]?.path.map(String).join('.')}`
}

const readers = [readReadings, readFrames, readUnregistered, readReply] as const

const readings = {
  v: 1,
  boot: 1,
  seq: 2,
  ts: RECEIVED,
  d: [{ id: 'v1', ts: RECEIVED, q: 0, m: { 'valve.opening': 40 } }],
}
const frames = {
  v: 1,
  boot: 1,
  seq: 2,
  ts: RECEIVED,
  f: [{ ts: RECEIVED, dir: 'rx', id: 'v1', hex: '681668' }],
}
const unregistered = {
  v: 1,
  d: [
    { line: 'L1', address: '12', ts: RECEIVED, n: 1, hex: '681668', port: 2 },
    { address: 'x', ts: RECEIVED, n: 2, p: { a: 1, b: 'c' } },
  ],
}
const reply = {
  v: 1,
  boot: 1,
  seq: 3,
  ts: RECEIVED,
  id: '01J',
  dev: 'v1',
  stage: 'done',
  code: 0,
  res: { opening: 40 },
}

/** Messages of gateways: the first byte chooses the channel. */
export const messages: FuzzTarget = {
  name: 'messages of gateways',
  seeds: [readings, frames, unregistered, reply].map((message, index) =>
    Buffer.concat([Buffer.from([index]), Buffer.from(JSON.stringify(message))]),
  ),
  words: [
    '"id":"v1"',
    '"m":{',
    '"temp.room":',
    '"ts":',
    '"boot":',
    '"q":',
    '"d":[',
    '"f":[',
    'v1',
    'valve.position',
    '128',
  ],
  run: (bytes) => {
    const reader = readers[(bytes[0] ?? 0) % readers.length] ?? readReadings
    return `${reader.name} ${reader(bytes.subarray(1))}`
  },
}
