import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { createAcknowledgedWrites } from '../../../platform/tasks/acknowledged-writes.ts'
import { BacklogFullError } from '../store/backlog-full.ts'
import { isRefusedRows } from '../store/refused-rows.ts'
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
  /** Arrival of the frames that have been waiting longest, Unix ms; undefined if none wait. */
  oldestReceived(): number | undefined
}

/** A few big parts are better for the engine than many small ones. */
const GATHER_MS = 100
/** Limit of bytes that wait for the store. Above it, no frame is accepted. */
const MAX_BYTES = 16 * 1024 * 1024
/** Approximate size of a frame without its bytes. */
const FRAME_BYTES = 200

const toSize = (frames: readonly RawFrame[]): number =>
  frames.reduce((sum, { bytes }) => sum + bytes.byteLength + FRAME_BYTES, 0)

export function createRawWriter({ insert, clock, log, stored }: RawWriterOptions): RawWriter {
  let waitingBytes = 0
  /** Frames that are not durable yet, in the order of their arrival. */
  const pending = new Set<readonly RawFrame[]>()

  const write = createAcknowledgedWrites<RawFrame>({
    clock,
    gatherMs: GATHER_MS,
    async write(frames) {
      await insert(frames)
      stored(frames.length)
    },
    isRefusal: isRefusedRows,
    onFailed: (error, frames) => log.error({ err: error, frames: frames.length }, 'cannot store raw frames'),
  })

  /** Returns whether the frame is stored; false if the store refuses it. */
  const isStored = async (frame: RawFrame): Promise<boolean> => {
    try {
      await write(frame)
      return true
    } catch (error) {
      if (isRefusedRows(error)) return false
      throw error
    }
  }

  return {
    oldestReceived: () => pending.values().next().value?.[0]?.received,
    async put(frames) {
      const size = toSize(frames)
      if (waitingBytes + size > MAX_BYTES) throw new BacklogFullError()
      waitingBytes += size
      pending.add(frames)
      try {
        const areStored = await Promise.all(frames.map(isStored))
        return frames.filter((_, index) => areStored[index] === false)
      } finally {
        pending.delete(frames)
        waitingBytes -= size
      }
    },
  }
}
