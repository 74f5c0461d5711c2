import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { bisect } from '../../../platform/tasks/bisect.ts'
import { BacklogFullError } from '../store/backlog-full.ts'
import { isRefusedRows } from '../store/refused-rows.ts'
import { createWriteGroups } from '../store/write-groups.ts'
import type { RawFrame } from './raw-frame.ts'

export interface RawWriterOptions {
  readonly insert: (frames: readonly RawFrame[]) => Promise<void>
  readonly clock: Clock
  readonly log: Log
  /** Called with the number of frames that became durable. */
  readonly stored: (count: number) => void
}

/** Stores frames in groups, one group after the other. */
export interface RawWriter {
  /**
   * Resolves after the frames are durable; returns those that the store refused because of their content. Rejects if
   * they are not durable: the gateway sends them again, and equal frames count once.
   */
  put(frames: readonly RawFrame[]): Promise<readonly RawFrame[]>
}

const GATHER_MS = 100
/** Bytes that may wait for the store. If there are more, no frame is accepted. */
const MOST_BYTES = 16 * 1024 * 1024
/** Approximate size of a frame without its bytes. */
const FRAME_BYTES = 200

const toSize = (frames: readonly RawFrame[]): number =>
  frames.reduce((sum, { bytes }) => sum + bytes.byteLength + FRAME_BYTES, 0)

export function createRawWriter({ insert, clock, log, stored }: RawWriterOptions): RawWriter {
  let waitingBytes = 0

  const groups = createWriteGroups<RawFrame, ReadonlySet<RawFrame>>(clock, GATHER_MS, async (frames) => {
    try {
      const refused = await bisect(frames, insert, isRefusedRows)
      stored(frames.length - refused.length)
      return new Set(refused.map(({ item }) => item))
    } catch (error) {
      log.error({ err: error, frames: frames.length }, 'cannot store raw frames')
      throw error
    }
  })

  return {
    async put(frames) {
      const size = toSize(frames)
      if (waitingBytes + size > MOST_BYTES) throw new BacklogFullError()
      waitingBytes += size
      try {
        const refused = await groups.add(frames)
        return frames.filter((frame) => refused.has(frame))
      } finally {
        waitingBytes -= size
      }
    },
  }
}
