import { isMetricName, type MetricDefinition, metrics } from '@isotherm/contract/metrics'
import {
  birthMessage,
  type ReplyMessage,
  replyMessage,
  type TelemetryMessage,
  telemetryMessage,
} from '@isotherm/contract/mqtt'
import type { Findings } from './findings.ts'
import { findProblem, readBySchema } from './read-message.ts'
import type { Published } from './stage.ts'

/** A message with readings that arrived, perhaps several times. */
export interface SeenReadings {
  readonly message: TelemetryMessage
  readonly firstChannel: Published['channel']
  /** Arrivals, Unix ms, and the channel of each. */
  readonly arrivals: { readonly at: number; readonly channel: Published['channel'] }[]
}

/** A value of a device. `at` is its arrival, `ts` its measurement, Unix ms. */
export interface SeenValue {
  readonly device: string
  readonly metric: string
  readonly value: number
  readonly ts: number
  readonly isLive: boolean
}

/** Everything the device has sent. Checks each message by itself when it arrives. */
export interface Observer {
  receive(message: Published): void
  /** Boots of the births in order of arrival, and the connection of each. */
  readonly births: { readonly boot: number; readonly connection: number }[]
  /** By `boot:seq`. */
  readonly readings: ReadonlyMap<string, SeenReadings>
  readonly replies: readonly ReplyMessage[]
  readonly values: readonly SeenValue[]
  /** Missing numbers of the readings of a boot, up to the highest one. */
  listMissing(boot: number): readonly number[]
  /** From now on messages of the boot up to the number count as acknowledged. */
  noteAck(boot: number, seq: number): void
}

/** What all messages of readings and replies have. */
const stamped = birthMessage.pick({ ts: true })

/** After this time a message that was on its way does not excuse a repeat. */
const ON_THE_WAY_MS = 2_000

export const toKey = ({ boot, seq }: { readonly boot: number; readonly seq: number }): string =>
  `${boot}:${seq}`

/** Missing numbers between 0 and the highest. */
export function listMissingNumbers(numbers: Iterable<number>): readonly number[] {
  const known = new Set(numbers)
  return Array.from({ length: Math.max(-1, ...known) + 1 }, (_, number) => number).filter(
    (number) => !known.has(number),
  )
}

export function createObserver(findings: Findings, devices: readonly string[]): Observer {
  const births: { boot: number; connection: number }[] = []
  const readings = new Map<string, SeenReadings>()
  const replies: ReplyMessage[] = []
  const values: SeenValue[] = []
  const acks = new Map<number, { seq: number; at: number }>()
  let lastConnection = 0

  /**
   * Libraries repeat messages without a PUBACK at the start of a connection. They do not count as messages of this
   * connection.
   */
  function isFromBefore({ payload, connectedAt }: Published): boolean {
    const read = readBySchema(stamped, payload)
    return read.kind === 'message' && read.body.ts < connectedAt
  }

  function checkFirst(message: Published): void {
    const { channel, connection, payload, isRetained, isSubscribed } = message
    if (channel !== 'birth' && isFromBefore(message)) return
    findings.check('subscribe-first', isSubscribed, `it published on up/${channel} before it subscribed`)
    if (connection === lastConnection) return
    lastConnection = connection
    const read = readBySchema(birthMessage, payload)
    const isBirth = channel === 'birth' && read.kind === 'message' && read.body.online
    findings.check('birth', isBirth, `the first message was on up/${channel}`)
    if (isBirth) findings.check('birth', isRetained, 'it was not retained')
  }

  function checkValues({ d }: TelemetryMessage): void {
    for (const { id, m } of d) {
      if (devices.length > 0)
        findings.check('schema', devices.includes(id), `readings of "${id}", which is not one of its devices`)
      for (const [name, value] of Object.entries(m)) {
        findings.check('metrics', isMetricName(name), `"${name}" is no metric`)
        if (!isMetricName(name)) continue
        const { range, unit }: MetricDefinition = metrics[name]
        const isWithin = value >= range[0] && value <= range[1]
        findings.check('metrics', isWithin, `${name} of ${id} is ${value} ${unit}`)
      }
    }
  }

  function noteReadings({ channel, payload, at }: Published): void {
    const read = readBySchema(telemetryMessage, payload)
    if (read.kind === 'problem') return
    const { body } = read
    checkValues(body)
    const isLive = channel !== 'history'
    if (!isLive) {
      const hasTimes = body.d.every(({ ts }) => ts !== undefined)
      findings.check('late-readings', hasTimes, 'an entry on up/history has no ts')
    }
    const key = toKey(body)
    const known = readings.get(key)
    if (known) {
      const isSame = JSON.stringify(known.message.d) === JSON.stringify(body.d)
      findings.check('same-number', isSame, `boot ${body.boot} number ${body.seq} had other readings before`)
      const ack = acks.get(body.boot)
      const isCovered = ack !== undefined && body.seq <= ack.seq && at > ack.at + ON_THE_WAY_MS
      findings.check('acknowledged', !isCovered, `boot ${body.boot} number ${body.seq} came again`)
    }
    const seen = known ?? { message: body, firstChannel: channel, arrivals: [] }
    seen.arrivals.push({ at, channel })
    readings.set(key, seen)
    for (const { id, ts = at, m } of body.d)
      for (const [metric, value] of Object.entries(m)) values.push({ device: id, metric, value, ts, isLive })
  }

  return {
    births,
    readings,
    replies,
    values,
    receive(message) {
      checkFirst(message)
      const { channel, payload, connection } = message
      const problem = findProblem(channel, payload)
      findings.check('schema', problem === undefined, `up/${channel}: ${problem}`)
      if (channel === 'birth') {
        const birth = readBySchema(birthMessage, payload)
        if (birth.kind === 'message' && birth.body.online) births.push({ boot: birth.body.boot, connection })
      } else if (channel === 'reply') {
        const reply = readBySchema(replyMessage, payload)
        if (reply.kind === 'message') replies.push(reply.body)
      } else if (channel !== 'raw') noteReadings(message)
    },
    listMissing: (boot) =>
      listMissingNumbers(
        [...readings.values()].flatMap(({ message }) => (message.boot === boot ? [message.seq] : [])),
      ),
    noteAck(boot, seq) {
      acks.set(boot, { seq, at: Date.now() })
    },
  }
}
