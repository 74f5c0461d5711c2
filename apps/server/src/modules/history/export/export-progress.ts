import { exportProgress } from '@isotherm/contract/export-progress'
import { z } from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { LabelledRuns } from './export-files.ts'

/** What the signal of an export that got on says. */
export const exportNews = exportProgress.extend({ accountId: z.number().int() })
type News = z.infer<typeof exportNews>

/** An export is told of no more often than this, ms. */
const GATHER_MS = 500

/** Whose export it is, and what it is called; without a name nobody is told. */
interface Named {
  readonly accountId: number
  readonly progressId: string | undefined
}

/** Tells how far exports are, as fast as they are taken. */
export interface ExportNews {
  /** The bytes that are made of the rows; whoever takes them all has them done, whoever gives up has them failed. */
  follow(
    named: Named,
    pieces: AsyncIterable<LabelledRuns>,
    toBytes: (pieces: AsyncIterable<LabelledRuns>) => AsyncIterable<Buffer>,
  ): AsyncIterable<Buffer>
}

export interface ExportNewsNeeds {
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly tell: (news: News) => Promise<void>
}

export function createExportNews({ clock, log, tell }: ExportNewsNeeds): ExportNews {
  async function* follow(
    { accountId, progressId }: { readonly accountId: number; readonly progressId: string },
    pieces: AsyncIterable<LabelledRuns>,
    toBytes: (pieces: AsyncIterable<LabelledRuns>) => AsyncIterable<Buffer>,
  ): AsyncGenerator<Buffer> {
    let rows = 0
    let toldAt = clock.now()
    // One after the other: what is told last is how it ended. The export waits for none of it.
    let told: Promise<void> = Promise.resolve()
    function note(state: News['state']): void {
      const news = { accountId, progressId, rows, state }
      toldAt = clock.now()
      told = told
        .then(() => tell(news))
        .catch((error: unknown) => log.warn({ err: error }, 'could not tell how far an export is'))
    }
    async function* counted(): AsyncGenerator<LabelledRuns> {
      for await (const piece of pieces) {
        for (const { count } of piece.runs) rows += count
        yield piece
        if (clock.now() - toldAt >= GATHER_MS) note('running')
      }
    }
    let isWhole = false
    try {
      yield* toBytes(counted())
      isWhole = true
    } finally {
      note(isWhole ? 'done' : 'failed')
    }
  }

  return {
    follow: ({ accountId, progressId }, pieces, toBytes) =>
      progressId === undefined ? toBytes(pieces) : follow({ accountId, progressId }, pieces, toBytes),
  }
}
