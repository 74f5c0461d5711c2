import { z } from 'zod'
import { alarm } from './alarms/alarms.ts'
import { campaign } from './balancing/campaign.ts'
import { strategy } from './balancing/strategies.ts'
import { batchProgress, command, holdEnd, valveHold } from './command.ts'
import { deviceKind, deviceState } from './devices.ts'
import { exportProgress } from './export-progress.ts'
import { transferProgress } from './transfer.ts'
import { nodeKey } from './tree.ts'

/**
 * Messages of the WebSocket /live, JSON texts. The client says hello with its second-backend token first and
 * then subscribes by tree nodes; a subscription sees only what the caller is granted. A cursor lets a client
 * that lost its connection receive what changed meanwhile instead of everything.
 */
export const LIVE_PATH = '/live'

/** Position in the server's stream of states: `epoch` names one life of the server, `version` counts in it. */
export const liveCursor = z.object({ epoch: z.string(), version: z.number().int().nonnegative() })
export type LiveCursor = z.infer<typeof liveCursor>

/** Nodes that one subscription may name. */
export const MOST_LIVE_NODES = 2_000

const subscriptionName = z.string().min(1).max(40)

export const liveRequest = z.discriminatedUnion('type', [
  z.object({ type: z.literal('hello'), token: z.string().min(1).max(200) }),
  z.object({
    type: z.literal('subscribe'),
    /** Chosen by the client; subscribing again under the same name replaces. */
    sub: subscriptionName,
    nodes: z.array(nodeKey).max(MOST_LIVE_NODES),
    kinds: z.array(deviceKind).min(1),
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
    /** How much faster the simulated field's time runs; absent with a real field. */
    timeFactor: z.number().positive().optional(),
  }),
  z.object({
    type: z.literal('states'),
    sub: subscriptionName,
    cursor: liveCursor,
    /**
     * True when the rows are everything the subscription matches, false when only what changed. It comes again
     * when a device or a grant left the subscription; what is not in it is to be forgotten.
     */
    full: z.boolean(),
    /** True while more of an answer in parts follows: what it has not said yet is not known yet. */
    more: z.literal(true).optional(),
    rows: z.array(deviceState),
  }),
  z.object({ type: z.literal('command'), command }),
  /**
   * A batch got on, at most twice a second, whatever is subscribed: told to whoever may see batches and is granted any of
   * its devices, with the counts of these.
   */
  z.object({ type: z.literal('batch'), ...batchProgress.shape }),
  /** A hold began on a valve that is watched, or ended; who held it is told too when somebody else ended it. */
  z.object({
    type: z.literal('hold'),
    hold: valveHold,
    ended: holdEnd.optional(),
    by: z.string().optional(),
  }),
  /**
   * A campaign got on or changed, at most twice a second, whatever is subscribed. Told to whoever may see campaigns and is
   * granted its node; whoever shows it asks for it anew.
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
   * A strategy got on or changed, at most twice a second. Told to whoever may see strategies and is granted its node;
   * whoever shows it asks for it anew.
   */
  z.object({
    type: z.literal('strategy'),
    ...strategy.pick({ id: true, node: true, version: true, state: true }).shape,
  }),
  /** The tree changed: what is below these nodes is to be loaded again; without any, all of it. */
  z.object({ type: z.literal('structure'), parents: z.array(nodeKey).max(200) }),
  /**
   * An alarm changed, whatever is subscribed; without one many did, and they are to be asked for anew. Told to whoever
   * may see alarms and is granted where it is.
   */
  z.object({ type: z.literal('alarm'), alarm: alarm.omit({ abilities: true }).optional() }),
  /**
   * A silence began, or was ended before its time, at a node the caller sees some of: silences, and what they leave out
   * of lists and counts, are to be asked for anew. Told to whoever may see alarms.
   */
  z.object({ type: z.literal('silences') }),
  /** A rule of alarms was made, changed or removed, somewhere. Told to whoever may see alarms. */
  z.object({ type: z.literal('alarm-rules') }),
  /** Nodes were placed on the map, moved or taken off it, somewhere. Told to whoever may see the map, once a second at most. */
  z.object({ type: z.literal('places') }),
  /** An import of the account got on. */
  z.object({ type: z.literal('transfer'), ...transferProgress.shape }),
  /** An export of the account got on, or ended; at most twice a second. */
  z.object({ type: z.literal('export'), ...exportProgress.shape }),
  /**
   * A request failed. Of an open subscription: nothing of its nodes is left for the caller; as long as one is,
   * it goes on with that.
   */
  z.object({
    type: z.literal('refused'),
    sub: subscriptionName.optional(),
    code: z.string(),
  }),
  /** The session ended; the server closes the connection after it. */
  z.object({ type: z.literal('expired') }),
  z.object({ type: z.literal('pong') }),
])
export type LiveEvent = z.infer<typeof liveEvent>
