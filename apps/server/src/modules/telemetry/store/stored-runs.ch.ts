import { z } from 'zod'
import {
  type ClickHouseClient,
  estimateRows,
  streamRows,
} from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { StoredRun } from '../messages/message-key.ts'
import { insertNumbers, MAX_BOOTS, type Runs } from '../messages/number-runs.ts'
import { PART_OF_MESSAGE } from '../messages/row-binary.ts'
import { listDeviceRanges } from './device-ranges.ch.ts'
import { isRefused } from './refused-messages.ch.ts'

const runsRow = z.tuple([z.number(), z.number(), z.array(z.number()), z.array(z.number())])
const messageRow = z.tuple([z.number(), z.number(), z.number()])

const hasArrived = 'received >= fromUnixTimestamp64Milli({since: Int64})'

/**
 * Runs of the numbers of each boot of each node, made by the store: a company's nodes send tens of millions of messages
 * in two days, of which each makes a run or two. A bitmap holds them while they are collected.
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
    const [node, boot, starts, ends] = runsRow.parse(row)
    for (const [index, from] of starts.entries()) yield { node, boot, from, to: ends[index] ?? from }
  }
}

export interface RunsByNode {
  add(run: StoredRun): void
  /** In the order in which nodes, their boots and numbers follow each other. */
  list(): Generator<StoredRun>
}

/** Runs of many nodes as they come, each boot's united: no more of them than are remembered of a node. */
export function createRunsByNode(): RunsByNode {
  const nodes = new Map<number, Map<number, Runs>>()

  function getRuns({ node, boot }: StoredRun): Runs {
    const boots = nodes.get(node) ?? new Map<number, Runs>()
    const runs = boots.get(boot) ?? { starts: [], ends: [] }
    nodes.set(node, boots.set(boot, runs))
    if (boots.size > MAX_BOOTS) boots.delete(Math.min(...boots.keys()))
    return runs
  }

  return {
    add: (run) => insertNumbers(getRuns(run), run.from, run.to),
    *list() {
      for (const [node, boots] of [...nodes].sort(([a], [b]) => a - b))
        for (const [boot, { starts, ends }] of [...boots].sort(([a], [b]) => a - b))
          for (const [index, from] of starts.entries()) yield { node, boot, from, to: ends[index] ?? from }
    },
  }
}

/**
 * What was stored since an instant (Unix ms), of messages that are whole, and those of which nothing more is kept, boot by
 * boot. A message of one month became durable with any of its rows; one of several months with the last.
 */
export async function readStoredRuns(
  client: ClickHouseClient,
  since: number,
  rowsAtOnce: number,
): Promise<RunsByNode> {
  const runs = createRunsByNode()
  const arrived = { table: 'readings', column: 'node', condition: hasArrived }
  const rows = await estimateRows(client, arrived, { since })
  const ofOneMonth = `${hasArrived} AND months <= 1 AND device >= {first: UInt32} AND device <= {last: UInt32}`
  // What arrived lately may be of any month.
  for (const range of await listDeviceRanges(client, Math.ceil(rows / rowsAtOnce), 0))
    for await (const run of readRuns(client, 'readings', ofOneMonth, { since, ...range })) runs.add(run)
  const ofMonths = `SELECT node, boot, seq FROM readings
    WHERE ${hasArrived} AND months > 1 AND months != ${PART_OF_MESSAGE}
    GROUP BY node, boot, seq HAVING uniqExact(toYYYYMM(ts)) >= max(months)`
  for await (const row of streamRows(client, ofMonths, { since })) {
    const [node, boot, seq] = messageRow.parse(row)
    runs.add({ node, boot, from: seq, to: seq })
  }
  for await (const run of readRuns(client, 'refused_messages', isRefused('readings'), { since }))
    runs.add(run)
  return runs
}
