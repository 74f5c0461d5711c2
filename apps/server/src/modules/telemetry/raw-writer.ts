import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { BacklogFullError } from './group-commit.ts'
import type { RawFrame } from './raw-frame.ts'

export interface RawWriterOptions {
  readonly insert: (frames: readonly RawFrame[]) => Promise<void>
  readonly clock: Clock
  readonly log: Log
  /** Told of frames that became durable. */
  readonly stored: (count: number) => void
}

/** Stores frames a group at a time, one group after the other. */
export interface RawWriter {
  /**
   * Resolves when they are durable, rejects when they are not: they come again, and the store keeps each of them once.
   */
  put(frames: readonly RawFrame[]): Promise<void>
}

/** Few big parts, not many small. */
const GATHER_MS = 100
/** What may wait for the store, bytes; above it nothing more is taken. */
const MOST_BYTES = 16 * 1024 * 1024
/** What a frame takes besides its bytes, about. */
const FRAME_BYTES = 200

const toSize = (frames: readonly RawFrame[]): number =>
  frames.reduce((sum, { bytes }) => sum + bytes.byteLength + FRAME_BYTES, 0)

interface Group {
  readonly frames: RawFrame[]
  readonly stored: Promise<void>
}

export function createRawWriter({ insert, clock, log, stored }: RawWriterOptions): RawWriter {
  let gathering: Group | undefined
  let running: Promise<void> = Promise.resolve()
  let waitingBytes = 0

  const gatherSome = (): Promise<void> =>
    new Promise((resolve) => {
      clock.setTimeout(resolve, GATHER_MS)
    })

  async function storeAfter(before: Promise<void>, frames: readonly RawFrame[]): Promise<void> {
    await Promise.all([before, gatherSome()])
    gathering = undefined
    try {
      await insert(frames)
      stored(frames.length)
    } catch (error) {
      log.error({ err: error, frames: frames.length }, 'cannot store raw frames')
      throw error
    }
  }

  function gather(): Group {
    const frames: RawFrame[] = []
    const storing = storeAfter(running, frames)
    running = storing.catch(() => undefined)
    return { frames, stored: storing }
  }

  return {
    async put(frames) {
      const size = toSize(frames)
      if (waitingBytes + size > MOST_BYTES) throw new BacklogFullError()
      waitingBytes += size
      gathering ??= gather()
      gathering.frames.push(...frames)
      try {
        await gathering.stored
      } finally {
        waitingBytes -= size
      }
    },
  }
}
