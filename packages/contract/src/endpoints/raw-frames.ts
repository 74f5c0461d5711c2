import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../endpoint.ts'
import { instant } from '../entity.ts'
import { limiter, pageOf } from '../filter.ts'
import { rawFrame } from '../mqtt.ts'
import { refersTo } from '../refs.ts'

/** A frame as it was on a field bus. */
export const rawFrameItem = z.object({
  receivedAt: instant,
  /** By the clock of the node; of bytes that came without an envelope, when they arrived. */
  ts: instant,
  /** Serial of the node that sent it; empty when it is no longer in the registry. */
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

export const getRawFrames = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/GetRawFrames',
  summary:
    'Frames of field buses as nodes passed them on, newest first: of a device, and of a node all it sent.',
  access: requiresPermission('pd-devdebug'),
  effect: 'reads',
  input: z.object({
    deviceId: refersTo('device', z.number().int().positive()),
    /** Half-open range of arrival. */
    from: instant.optional(),
    to: instant.optional(),
    limiter: limiter
      .extend({ size: limiter.shape.size.max(MOST_FRAMES) })
      .default({ page: 1, size: MOST_FRAMES }),
  }),
  output: pageOf(rawFrameItem),
  errors: ['device.not-found'],
})

export const rawFramesEndpoints = { getRawFrames } as const
