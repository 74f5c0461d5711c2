import { z } from 'zod'
import { alarm } from './alarms/alarms.ts'
import { campaign } from './balancing/campaign.ts'
import { strategy } from './balancing/strategies.ts'
import { batchProgress, command, holdEnd, valveHold } from './command.ts'
import { deviceKinds, deviceState } from './devices.ts'
import { exportProgress } from './export-progress.ts'
import { transferProgress } from './transfer.ts'
import { nodeKey } from './tree.ts'

/**
 * JSON messages of the WebSocket /live. The client first sends hello with its second-backend token and then subscribes to
 * tree nodes. A subscription only contains what the caller is granted. With a cursor a client that lost its connection
 * receives only the changes since then.
 */
export const LIVE_PATH = '/live'

/** Position in the server's stream of states: `epoch` identifies a run of the server, `version` counts within it. */
export const liveCursor = z.object({ epoch: z.string(), version: z.number().int().nonnegative() })
export type LiveCursor = z.infer<typeof liveCursor>

/** Maximum number of nodes of one subscription. */
export const MAX_LIVE_NODES = 2_000

const subscriptionName = z.string().min(1).max(40)

export const liveRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), token: z.string().min(1).max(200) }),
  z.object({
    type: z.literal('subscribe'),
    /** Chosen by the client. Subscribing with the same name replaces the subscription. */
    sub: subscriptionName,
    nodes: z.array(nodeKey).max(MAX_LIVE_NODES),
    kinds: deviceKinds.min(1),
    /** Only these of the devices below the nodes, as a page of a list shows them. */
    deviceIds: z.array(z.number().int().positive()).min(1).max(MAX_LIVE_NODES).optional(),
    since: liveCursor.optional(),
  }),
  z.object({ type: z.literal('unsubscribe'), sub: subscriptionName }),
  z.object({ type: z.literal('ping') }),
])
export type LiveRequest = z.infer<typeof liveRequest>

export const liveEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('welcome'),
    epoch: z.string(),
    /** Server's clock, Unix ms. */
    now: z.number().int(),
    mode: z.enum(['demo', 'production']),
    /** How much faster the time of a simulated field runs; absent for a real field. */
    timeFactor: z.number().positive().optional(),
  }),
  z.object({
    type: z.literal('states'),
    sub: subscriptionName,
    cursor: liveCursor,
    /**
     * True if the rows are everything in the subscription, false if they are only the changes. It is sent as true again when
     * a device or a grant leaves the subscription; the client drops all rows that are not in it.
     */
    full: z.boolean(),
    /** True while further parts of the same answer follow. */
    more: z.literal(true).optional(),
    rows: z.array(deviceState),
  }),
  /** A command to a subscribed device changed. Sent to users that can see commands. */
  z.object({ type: z.literal('command'), command }),
  /**
   * Progress of a batch, at most twice per second, independent of subscriptions. Sent to users that can see batches and are
   * granted any of its devices, with the counts of these devices.
   */
  z.object({ type: z.literal('batch'), ...batchProgress.shape }),
  /** A hold on a subscribed valve started or ended. Sent to users that can see holds, also to the user of the hold if another user ended it. */
  z.object({
    type: z.literal('hold'),
    hold: valveHold,
    ended: holdEnd.optional(),
    by: z.string().optional(),
  }),
  /**
   * A campaign changed, at most twice per second, independent of subscriptions. Sent to users that can see campaigns and are
   * granted its node; a page that shows the campaign refetches it.
   */
  z.object({
    type: z.literal('campaign'),
    ...campaign.pick({
      id: true,
      node: true,
      version: true,
      state: true,
      round: true,
      moves: true,
      moved: true,
    }).shape,
  }),
  /**
   * A strategy changed, at most twice per second. Sent to users that can see strategies and are granted its node; a page that
   * shows the strategy refetches it.
   */
  z.object({
    type: z.literal('strategy'),
    ...strategy.pick({ id: true, node: true, version: true, state: true }).shape,
  }),
  /** The tree changed below these nodes, or anywhere if there are none; the client reloads it. */
  z.object({ type: z.literal('structure'), parents: z.array(nodeKey).max(200) }),
  /**
   * An alarm changed, independent of subscriptions. Without `alarm` many changed, and the client refetches them. Sent to users
   * that can see alarms and are granted the place.
   */
  z.object({ type: z.literal('alarm'), alarm: alarm.omit({ abilities: true }).optional() }),
  /**
   * A silence was set or ended early at a node that the caller can see partly. The client refetches silences, alarm lists and
   * counts. Sent to users that can see alarms.
   */
  z.object({ type: z.literal('silences') }),
  /** An alarm rule was added, changed or removed anywhere. Sent to users that can see alarms. */
  z.object({ type: z.literal('alarm-rules') }),
  /** Nodes were placed, moved or removed on the map anywhere. Sent to users that can see the map, at most once per second. */
  z.object({ type: z.literal('places') }),
  /** Progress of an import of the account. */
  z.object({ type: z.literal('transfer'), ...transferProgress.shape }),
  /** Progress or end of an export of the account, at most twice per second. */
  z.object({ type: z.literal('export'), ...exportProgress.shape }),
  /**
   * A request failed. For an open subscription: the caller has no access to any of its nodes any more. As long as some nodes
   * remain, the subscription continues with them.
   */
  z.object({
    type: z.literal('refused'),
    sub: subscriptionName.optional(),
    code: z.string(),
  }),
  /** The session ended; then the server closes the connection. */
  z.object({ type: z.literal('expired') }),
  z.object({ type: z.literal('pong') }),
])
export type LiveEvent = z.infer<typeof liveEvent>
