import { z } from 'zod'
import {
  type ClickHouseClient,
  estimateRows,
  streamRows,
} from '../../../platform/clickhouse/clickhouse.ch.ts'
import { type IdRanges, isInRanges } from '../messages/id-ranges.ts'
import type { StoredRun } from '../messages/message-key.ts'
import { insertNumbers, MAX_BOOTS, type Runs } from '../messages/number-runs.ts'
import { PART_OF_MESSAGE } from '../messages/row-binary.ts'
import { listDeviceRanges } from './device-ranges.ch.ts'
import { isRefused } from './refused-messages.ch.ts'

/** Rows that one statement reads: it takes a second or two. The server gives up a statement after 30 s. */
const ROWS_AT_ONCE = 50_000_000

const runsRow = z.tuple([z.number(), z.number(), z.array(z.number()), z.array(z.number())])
const messageRow = z.tuple([z.number(), z.number(), z.number()])

const hasArrived = 'received >= fromUnixTimestamp64Milli({since: Int64})'

/**
 * Reads runs of sequence numbers per gateway and boot. The store builds them: the gateways of a company send tens of
 * millions of messages in two days, and most of them form one or two runs. A bitmap holds the numbers meanwhile.
 */
export async function* readRuns(
  client: ClickHouseClient,
  table: string,
  condition: string,
  params: Record<string, unknown>,
): AsyncGenerator<StoredRun> {
  const isEnd = 'arrayPushBack(arrayPopFront(arrayDifference(seqs)), 0)'
  const query = `SELECT node, boot, arrayFilter((seq, step) -> step != 1, seqs, arrayDifference(seqs)) AS starts,
      arrayFilter((seq, step) -> step != 1, seqs, ${isEnd}) AS ends
    FROM (SELECT node, boot, arraySort(bitmapToArray(groupBitmapState(seq))) AS seqs
      FROM ${table} WHERE ${condition} GROUP BY node, boot)`
  for await (const row of streamRows(client, query, params)) {
    const [gatewayId, boot, starts, ends] = runsRow.parse(row)
    for (const [index, from] of starts.entries()) yield { gatewayId, boot, from, to: ends[index] ?? from }
  }
}

export interface RunsByGateway {
  add(run: StoredRun): void
  /** Sorted by gateway, boot and number. */
  list(): Generator<StoredRun>
}

/**
 * Collects the runs of many gateways and merges those of the same boot. Remembers at most MAX_BOOTS boots per gateway.
 */
export function createRunsByGateway(): RunsByGateway {
  const gateways = new Map<number, Map<number, Runs>>()

  function getRuns({ gatewayId, boot }: StoredRun): Runs {
    const boots = gateways.get(gatewayId) ?? new Map<number, Runs>()
    const runs = boots.get(boot) ?? { starts: [], ends: [] }
    gateways.set(gatewayId, boots.set(boot, runs))
    if (boots.size > MAX_BOOTS) boots.delete(Math.min(...boots.keys()))
    return runs
  }

  return {
    add: (run) => insertNumbers(getRuns(run), run.from, run.to),
    *list() {
      for (const [gatewayId, boots] of [...gateways].sort(([a], [b]) => a - b))
        for (const [boot, { starts, ends }] of [...boots].sort(([a], [b]) => a - b))
          for (const [index, from] of starts.entries())
            yield { gatewayId, boot, from, to: ends[index] ?? from }
    },
  }
}

/** Runs of messages of several parts that arrived since an instant, with all their parts. */
async function* readOfSeveralParts(
  client: ClickHouseClient,
  condition: string,
  since: number,
  statements: number,
): AsyncGenerator<StoredRun> {
  const isSeveral = `${condition} AND months > 1 AND months != ${PART_OF_MESSAGE}`
  const whole = (part: string) => `GROUP BY node, boot, seq HAVING uniqExact(${part}) >= max(months)`
  if (!client.cluster) {
    const query = `SELECT node, boot, seq FROM readings WHERE ${isSeveral} ${whole('toYYYYMM(ts)')}`
    for await (const row of streamRows(client, query, { since })) {
      const [gatewayId, boot, seq] = messageRow.parse(row)
      yield { gatewayId, boot, from: seq, to: seq }
    }
    return
  }
  // On a cluster they are nearly all messages. Ranges of devices also divide the gateways: both get their ids in sequence.
  for (const { first, last } of await listDeviceRanges(client, Math.ceil(statements), 0)) {
    const messages = `(SELECT node, boot, seq FROM readings WHERE ${isSeveral} AND node >= {first: UInt32}
      AND node <= {last: UInt32} ${whole('(toYYYYMM(ts), _shard_num)')})`
    yield* readRuns(client, messages, 'true', { since, first, last })
  }
}

/**
 * Calls `take` for the messages that are done since an instant (Unix ms): stored in all their parts, or refused in
 * part or as a whole. Sorted by gateway, boot and number. A message of one part (month, and shard on a cluster) is durable as
 * soon as one of its rows is; a message of several parts only with the last of them. Only of the gateways `nodes`, if they are given.
 */
export async function readStored(
  client: ClickHouseClient,
  since: number,
  take: (run: StoredRun) => void,
  {
    rowsAtOnce = ROWS_AT_ONCE,
    nodes,
  }: { readonly rowsAtOnce?: number | undefined; readonly nodes?: IdRanges } = {},
): Promise<void> {
  const runs = createRunsByGateway()
  const isOurs = isInRanges('node', nodes)
  const arrived = { table: 'readings', column: 'node', condition: `${hasArrived} AND ${isOurs}` }
  const rows = await estimateRows(client, arrived, { since })
  const ofOneMonth = `${arrived.condition} AND months <= 1 AND device >= {first: UInt32} AND device <= {last: UInt32}`
  // Recent arrivals can be from any month.
  for (const range of await listDeviceRanges(client, Math.ceil(rows / rowsAtOnce), 0))
    for await (const run of readRuns(client, 'readings', ofOneMonth, { since, ...range })) runs.add(run)
  for await (const run of readOfSeveralParts(client, arrived.condition, since, rows / rowsAtOnce))
    runs.add(run)
  for await (const run of readRuns(client, 'refused_messages', `${isRefused('readings')} AND ${isOurs}`, {
    since,
  }))
    runs.add(run)
  for (const run of runs.list()) take(run)
}
