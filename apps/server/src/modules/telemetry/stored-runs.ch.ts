import { z } from 'zod'
import { type ClickHouseClient, streamRows } from '../../platform/clickhouse.ch.ts'
import { countSinceArrival, listDeviceRanges } from './device-ranges.ch.ts'
import { isRefused } from './refused-messages.ch.ts'
import { PART_OF_MESSAGE } from './row-binary.ts'
import type { StoredRun } from './store.ts'

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

/** In the order in which a node's boots and numbers follow each other. */
export const byNodeAndBoot = (a: StoredRun, b: StoredRun): number =>
  a.node - b.node || a.boot - b.boot || a.from - b.from

/**
 * What was stored since an instant (Unix ms), of messages that are whole, and those of which nothing is kept, in order; runs
 * may meet and overlap. A message of one month became durable with any of its rows; one of several months with the last.
 */
export async function readStoredRuns(
  client: ClickHouseClient,
  since: number,
  rowsAtOnce: number,
): Promise<readonly StoredRun[]> {
  const runs: StoredRun[] = []
  const rows = await countSinceArrival(client, since)
  const ofOneMonth = `${hasArrived} AND months <= 1 AND device >= {first: UInt32} AND device <= {last: UInt32}`
  for (const range of await listDeviceRanges(client, Math.ceil(rows / rowsAtOnce), since))
    for await (const run of readRuns(client, 'readings', ofOneMonth, { since, ...range })) runs.push(run)
  const ofMonths = `SELECT node, boot, seq FROM readings
    WHERE ${hasArrived} AND months > 1 AND months != ${PART_OF_MESSAGE}
    GROUP BY node, boot, seq HAVING uniqExact(toYYYYMM(ts)) >= max(months)`
  for await (const row of streamRows(client, ofMonths, { since })) {
    const [node, boot, seq] = messageRow.parse(row)
    runs.push({ node, boot, from: seq, to: seq })
  }
  for await (const run of readRuns(client, 'refused_messages', isRefused('readings'), { since }))
    runs.push(run)
  return runs.sort(byNodeAndBoot)
}
