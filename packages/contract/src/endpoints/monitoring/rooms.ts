import { z } from 'zod'
import { device, devicePresence } from '../../devices.ts'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant, version } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { refersTo } from '../../refs.ts'
import { roomRules } from '../../rooms/room-bands.ts'
import { roomReason } from '../../rooms/room-reason.ts'
import { roomVisit, visitRequest, visitResult } from '../../rooms/room-visit.ts'
import { nodeKey } from '../../tree.ts'

const viewingRooms = requiresPermission('pr-rtreal', 'pr-rtalarm')
const count = z.number().int().nonnegative()

/** `doubtful`: the newest value is suspect. `silent`: no value, or an old one. */
export const roomState = z.enum(['cold', 'ok', 'hot', 'doubtful', 'silent'])
export type RoomState = z.infer<typeof roomState>

/** A room sensor with its newest value. */
export const room = z.object({
  device: device.pick({ id: true, imei: true, name: true, node: true, nestaddr: true, periodS: true }),
  state: roomState,
  presence: devicePresence,
  /** Absent if it has not reported for days. */
  newest: z.object({ roomC: z.number(), at: instant, quality: z.number().int() }).optional(),
  /** Why it is cold, hot or in doubt, the strongest first; empty for other rooms. */
  reasons: z.array(roomReason),
})
export type Room = z.infer<typeof room>

/** Number of rooms by state and by band. Only rooms with trusted values have a band. */
export const roomCounts = z.object({
  rooms: count,
  cold: count,
  hot: count,
  doubtful: count,
  silent: count,
  /** By band of the rules, the coldest first. */
  bands: z.array(count),
  /** Mean of the rooms with trusted values; absent without any. */
  meanC: z.number().optional(),
  medianC: z.number().optional(),
})
export type RoomCounts = z.infer<typeof roomCounts>

export const getRooms = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Room/GetRooms',
  summary:
    'Room sensors below nodes with newest values, the coldest first, why they are cold or hot, and how many rooms each band has.',
  access: viewingRooms,
  effect: 'reads',
  input: z.object({
    /** Subtrees; an empty list means everything granted to the caller. */
    nodes: z.array(refersTo('node', nodeKey)).max(2_000).default([]),
    /** Part of the name, serial or address. */
    text: z.string().max(60).default(''),
    state: roomState.optional(),
    /** Position of a band of the rules. */
    band: z.number().int().min(0).max(8).optional(),
    sort: z.enum(['temperature', 'place']).default('temperature'),
    descending: z.boolean().default(false),
    limiter: limiter.default({ page: 1, size: 100 }),
  }),
  /**
   * `counts` are of the rooms that match nodes and text, whatever their state. `rules` are those of the whole selection; their
   * edges make the bands. A room is judged by the rules of its own place: `otherRules` is the number of others among them.
   */
  output: z.object({
    datalist: z.array(room),
    total: count,
    counts: roomCounts,
    rules: roomRules,
    otherRules: count,
  }),
  errors: ['node.not-found', 'filter.too-wide'],
})

const nodes = z.array(refersTo('node', nodeKey)).max(2_000).default([])
const roomId = refersTo('device', z.number().int().positive())
const common = { backend: 'ht-api', method: 'POST' } as const
const controlling = requiresPermission('pr-rtalarm')

/** Rules of a place: its own, else those of the nearest node above that has some, else the default ones. */
export const placedRoomRules = z.object({
  rules: roomRules,
  /** The node that states them; absent for the default ones. */
  node: nodeKey.optional(),
  nodeName: z.string().optional(),
})

export const getRoomRules = defineEndpoint({
  ...common,
  path: '/Room/GetRoomRules',
  summary: 'Rules that judge the rooms of a node, and the version of its own rules.',
  access: controlling,
  effect: 'reads',
  input: z.object({ node: refersTo('node', nodeKey) }),
  /** `version`: 0 if the node has no own rules. */
  output: placedRoomRules.extend({ version: z.number().int().nonnegative() }),
  errors: ['node.not-found'],
})

export const setRoomRules = defineEndpoint({
  ...common,
  path: '/Room/SetRoomRules',
  summary:
    'States the rules that judge the rooms of a node and below, except where a node below has its own.',
  access: requiresPermission('ps-oraigionsys', 'pd-rtcaldevmanager'),
  effect: 'changes',
  input: z.object({
    node: refersTo('node', nodeKey),
    rules: roomRules,
    /** 0 if the node has no own rules. */
    version: z.number().int().nonnegative(),
  }),
  output: placedRoomRules.extend({ version }),
  errors: ['node.not-found', 'entity.stale'],
})

/** Longest range of a question about compliance, days: a heating season. */
export const MAX_ROOM_DAYS = 200

/** How a room followed the rules in a range of local days. Only hours with trusted readings count. */
export const roomCompliance = z.object({
  device: device.pick({ id: true, imei: true, name: true, node: true, nestaddr: true }),
  areaM2: z.number().optional(),
  meanC: z.number(),
  /** Measured hours of the rules' hours of the day, and those below the limit. */
  hours: count,
  coldHours: count,
  /** Σ max(0, limit − hourly mean), K·h. */
  degreeHours: z.number(),
  /** Days with at least half of their hours; only they can have a refund. */
  days: count,
  coldDays: count,
  /** Refund in days of the fee: 1.5 is one and a half day's fee. */
  refundDays: z.number(),
  /** Absent without an area or a fee. */
  refundYuan: z.number().optional(),
})
export type RoomCompliance = z.infer<typeof roomCompliance>

export const getRoomCompliance = defineEndpoint({
  ...common,
  path: '/Room/GetRoomCompliance',
  summary: 'Hours below the limit, degree-hours and refund exposure of rooms in a range of local days.',
  access: controlling,
  effect: 'reads',
  input: z.object({
    nodes,
    text: z.string().max(60).default(''),
    /** Default: the last seven days of the plant, today included. Both included. */
    from: z.iso.date().optional(),
    to: z.iso.date().optional(),
    sort: z.enum(['degreeHours', 'refund', 'mean']).default('degreeHours'),
    descending: z.boolean().default(true),
    limiter: limiter.default({ page: 1, size: 100 }),
  }),
  output: z.object({
    datalist: z.array(roomCompliance),
    /** Rooms with a measured hour. */
    total: count,
    sums: z.object({
      hours: count,
      coldHours: count,
      degreeHours: z.number(),
      roomsWithRefund: count,
      refundDays: z.number(),
      refundYuan: z.number(),
      /** Rooms with a refund whose area or fee is not known: they are missing in the sum of yuan. */
      unpriced: count,
    }),
    from: z.iso.date(),
    to: z.iso.date(),
    ...placedRoomRules.shape,
    /** Each room is judged by the rules of its own place; this is the number of others than those of the selection. */
    otherRules: count,
  }),
  errors: ['node.not-found', 'history.range-too-large'],
})

export const getRoomVisits = defineEndpoint({
  ...common,
  path: '/Room/GetRoomVisits',
  summary: 'Complaints about rooms and the visits that measured them, open ones first, then the newest.',
  access: controlling,
  effect: 'reads',
  input: z.object({
    nodes,
    isOpen: z.boolean().optional(),
    /** Words of the address, the resident, the phone or the complaint. */
    text: z.string().max(60).default(''),
    limiter: limiter.default({ page: 1, size: 100 }),
  }),
  output: pageOf(roomVisit),
  errors: ['node.not-found'],
})

export const addRoomVisit = defineEndpoint({
  ...common,
  path: '/Room/AddRoomVisit',
  summary: 'Records a complaint about a room; the company measures within 24 hours.',
  access: controlling,
  effect: 'changes',
  input: visitRequest.extend({ deviceId: roomId }),
  output: roomVisit,
  errors: ['device.not-found'],
})

export const closeRoomVisit = defineEndpoint({
  ...common,
  path: '/Room/CloseRoomVisit',
  summary: 'Records what was measured on site.',
  access: controlling,
  effect: 'changes',
  input: z.object({ deviceId: roomId, visit: z.number().int().positive(), version, result: visitResult }),
  output: roomVisit,
  errors: ['device.not-found', 'room-visit.not-found', 'entity.stale'],
})

export const roomsEndpoints = {
  getRooms,
  getRoomRules,
  setRoomRules,
  getRoomCompliance,
  getRoomVisits,
  addRoomVisit,
  closeRoomVisit,
} as const
