import { quantileOfSorted } from '@isotherm/kernel/statistics'

/** Quantiles of the times of a repeated query, ms. */
export interface Times {
  readonly p50: number
  readonly p95: number
  readonly count: number
}

export function toTimes(values: readonly number[]): Times {
  const sorted = values.toSorted((left, right) => left - right)
  return { p50: quantileOfSorted(sorted, 0.5), p95: quantileOfSorted(sorted, 0.95), count: sorted.length }
}

/** Duration of some work, ms. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Times of the server and of the same query in plain SQL, measured alternately. */
export interface Compared {
  readonly ours: Times
  readonly plain: Times
}

/**
 * Runs each query on the server and directly afterwards in plain SQL, so that both have the same conditions. The first pass
 * is a warm-up and does not count.
 */
export async function compare<Query>(
  queries: readonly Query[],
  rounds: number,
  timeServer: (query: Query) => Promise<number>,
  timePlain: (query: Query) => Promise<number>,
): Promise<Compared> {
  const ours: number[] = []
  const plain: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    for (const query of queries) {
      const [one, other] = [await timeServer(query), await timePlain(query)]
      if (round === 0) continue
      ours.push(one)
      plain.push(other)
    }
  }
  return { ours: toTimes(ours), plain: toTimes(plain) }
}
