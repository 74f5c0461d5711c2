import { DAY_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { rawFrame } from '../../mqtt.ts'
import { refersTo } from '../../refs.ts'

/** A frame as it was on a field bus. */
export const rawFrameItem = z.object({
  receivedAt: instant,
  /** By the clock of the node; of bytes that came without an envelope, when they arrived. */
  ts: instant,
  /** Serial of the node that sent it; empty when it is no longer in the registry or not granted to the caller. */
  node: z.string(),
  /** Absent where it names none of ours. */
  deviceId: z.number().int().positive().optional(),
  /** What the node calls the device; empty where it names none. */
  named: z.string(),
  /** `rx`: from the bus to the node. */
  dir: rawFrame.shape.dir.unwrap(),
  /** All of its bytes, lower case. */
  hex: z.string(),
})
export type RawFrameItem = z.infer<typeof rawFrameItem>

/** A message of one frame may be 64 KiB long, so pages are shorter than elsewhere. */
const MOST_FRAMES = 100

/** How far back frames are listed when no beginning is given: seven days. */
export const RECENT_FRAMES_MS = 7 * DAY_MS

/** How deep pages reach, frames. Whoever wants older ones asks for an earlier range. */
const MOST_FRAMES_DEEP = 10_000

export const getRawFrames = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/GetRawFrames',
  summary: `Frames of field buses as nodes passed them on, newest first: of a device, and of a node all it sent. Without a beginning those of the last seven days; pages reach ${MOST_FRAMES_DEEP} frames deep, older ones are in an earlier range.`,
  access: requiresPermission('pd-devdebug'),
  effect: 'reads',
  input: z.object({
    deviceId: refersTo('device', z.number().int().positive()),
    /** Half-open range of arrival; without `from` it begins seven days before its end or now. */
    from: instant.optional(),
    to: instant.optional(),
    limiter: limiter
      .extend({ size: limiter.shape.size.max(MOST_FRAMES) })
      .refine(({ page, size }) => page * size <= MOST_FRAMES_DEEP, {
        error: `pages reach ${MOST_FRAMES_DEEP} frames deep; ask for an earlier range`,
        path: ['page'],
      })
      .default({ page: 1, size: MOST_FRAMES }),
  }),
  output: pageOf(rawFrameItem),
  errors: ['device.not-found'],
})

export const rawFramesEndpoints = { getRawFrames } as const
