import { DAY_MS } from '@isotherm/kernel/durations'
import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { limiter, pageOf, wholeNumber } from '../../filter.ts'
import { rawFrame } from '../../mqtt.ts'
import { refersTo } from '../../refs.ts'

/** An unchanged frame of a field bus. */
export const rawFrameItem = z.object({
  receivedAt: instant,
  /** Time by the gateway's clock; the arrival time for bytes without an envelope. */
  ts: instant,
  /** Serial of the sending gateway; empty if it is no longer in the registry or not granted to the caller. */
  node: z.string(),
  /** Absent if the frame names no device of the registry. */
  deviceId: z.number().int().positive().optional(),
  /** The gateway's name of the device; empty if it names none. */
  named: z.string(),
  /** `rx`: from the bus to the gateway. */
  dir: rawFrame.shape.dir.unwrap(),
  /** All bytes in lower-case hexadecimal. */
  hex: z.string(),
})
export type RawFrameItem = z.infer<typeof rawFrameItem>

/** Pages are shorter than elsewhere, because a frame can be 64 KiB long. */
const MAX_PAGE_SIZE = 100

/** Default range of the list: seven days. */
export const RECENT_FRAMES_MS = 7 * DAY_MS

/** Maximum number of frames on all pages of one range. Older frames need an earlier range. */
const MAX_FRAMES_PER_RANGE = 10_000

export const getRawFrames = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/GetRawFrames',
  summary: `Unchanged frames of field buses of a device, or all frames of a gateway, newest first. By default those of the last seven days. The pages of a range reach ${MAX_FRAMES_PER_RANGE} frames; older frames need an earlier range.`,
  access: requiresPermission('pd-devdebug'),
  effect: 'reads',
  input: z.object({
    deviceId: refersTo('device', z.number().int().positive()),
    /** Half-open range of arrival. By default `from` is seven days before `to` or now. */
    from: instant.optional(),
    to: instant.optional(),
    limiter: limiter
      .extend({ size: wholeNumber(MAX_PAGE_SIZE) })
      .refine(({ page, size }) => page * size <= MAX_FRAMES_PER_RANGE, {
        error: `pages reach ${MAX_FRAMES_PER_RANGE} frames; request an earlier range`,
        path: ['page'],
      })
      .default({ page: 1, size: MAX_PAGE_SIZE }),
  }),
  output: pageOf(rawFrameItem),
  errors: ['device.not-found'],
})

export const rawFramesEndpoints = { getRawFrames } as const
