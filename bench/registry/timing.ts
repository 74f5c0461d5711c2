import { quantileOfSorted } from '@isotherm/kernel/statistics'

/** Times of one question asked many times, ms. */
export interface Times {
  readonly p50: number
  readonly p95: number
  readonly count: number
}

export function toTimes(values: readonly number[]): Times {
  const sorted = values.toSorted((left, right) => left - right)
  return { p50: quantileOfSorted(sorted, 0.5), p95: quantileOfSorted(sorted, 0.95), count: sorted.length }
}

/** How long something takes, ms. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** What was measured of the server and of the same in plain SQL, asked in turns. */
export interface Compared {
  readonly ours: Times
  readonly plain: Times
}

/**
 * Asks each question of the server and, right after it, the same in plain SQL, so that both meet the same
 * machine. The first round warms up and does not count.
 */
export async function compare<Question>(
  questions: readonly Question[],
  rounds: number,
  ask: (question: Question) => Promise<number>,
  askPlain: (question: Question) => Promise<number>,
): Promise<Compared> {
  const ours: number[] = []
  const plain: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    for (const question of questions) {
      const [one, other] = [await ask(question), await askPlain(question)]
      if (round === 0) continue
      ours.push(one)
      plain.push(other)
    }
  }
  return { ours: toTimes(ours), plain: toTimes(plain) }
}
