import type { DeviceKind } from '@isotherm/contract/devices'
import type { Endpoint } from '@isotherm/contract/endpoint'
import { getMeterRows } from '@isotherm/contract/endpoints/monitoring/meters'
import { getRooms } from '@isotherm/contract/endpoints/monitoring/rooms'
import { getDataLastFromNodeList } from '@isotherm/contract/endpoints/monitoring/telemetry'
import type { LiveEvent, LiveRequest } from '@isotherm/contract/live'
import { ROOT_KEY } from '@isotherm/contract/tree'
import { AppError } from '../../../platform/app-error.ts'
import { requireAccess } from '../../../platform/http/access.ts'
import type { Caller } from '../../../platform/http/call.ts'
import { toDisjointPaths } from '../../../platform/scope/scope.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import type { LiveNeeds } from './needs.ts'
import { openSubscription, type Subscription } from './subscription.ts'

export type SubscribeRequest = LiveRequest & { readonly type: 'subscribe' }

/** Access of a caller; it can change during the connection. */
export type Access = Pick<Caller, 'permissions' | 'scope'>

interface Opened {
  readonly request: SubscribeRequest
  readonly paths: readonly string[]
  readonly subscription: Subscription
  /** Whether a device has left it. The client only learns that from a restart. */
  isOutdated: boolean
}

/** The subscriptions of one connection, by name. */
export interface Subscriptions {
  /** Throws access.denied, node.not-found or request.too-many. */
  open(request: SubscribeRequest, access: Access): Promise<void>
  drop(name: string): void
  /**
   * Limits each subscription to the current access; restarts it if that changes it, or if a device has left it. A
   * subscription without remaining nodes is dropped, and `refused` is called.
   */
  renew(access: Access, refused: (name: string, error: AppError) => void): Promise<void>
  recordChange(device: DirectoryEntry): void
  /** Paths of all subscriptions; may contain duplicates. */
  paths(): readonly string[]
  /**
   * Records a device before and after a move. Its newest values are sent to the subscriptions it joined; those it left
   * become outdated.
   */
  applyMove(former: DirectoryEntry | undefined, now: DirectoryEntry | undefined): void
  hasOutdated(): boolean
  covers(path: string): boolean
  clear(): void
}

export interface SubscriptionsNeeds
  extends Pick<
    LiveNeeds,
    'clock' | 'epoch' | 'network' | 'lookups' | 'waitForSlice' | 'states' | 'leftVersion' | 'directory'
  > {
  readonly send: (event: LiveEvent) => void
  readonly isBehind: () => boolean
  /** Whether the connection ended during an await. */
  readonly isClosed: () => boolean
}

const MAX_SUBSCRIPTIONS = 16

/** Pages of one kind of device show its newest values to users who may see no valves. */
const pages: Partial<Record<DeviceKind, Pick<Endpoint, 'access'>>> = {
  'room-sensor': getRooms,
  'heat-meter': getMeterRows,
}

/** Throws access.denied if no page shows newest values of these kinds to the caller. */
function requireWatching(kinds: readonly DeviceKind[], access: Access): void {
  const may = (page: Pick<Endpoint, 'access'> | undefined): boolean =>
    page?.access.kind === 'permission' &&
    page.access.anyOf.some((permission) => access.permissions.has(permission))
  if (!kinds.every((kind) => may(pages[kind]))) requireAccess(getDataLastFromNodeList, access)
}

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((path, index) => path === right[index])

export function createSubscriptions(needs: SubscriptionsNeeds): Subscriptions {
  const { clock, epoch, network, lookups, states, directory, send, isBehind } = needs
  const opened = new Map<string, Opened>()

  function findPaths({ nodes, kinds }: SubscribeRequest, access: Access): Promise<readonly string[]> {
    requireWatching(kinds, access)
    return network.resolveNodes(access.scope, nodes)
  }

  /** Like findPaths, but skips nodes that are no longer granted. */
  async function findRemainingPaths(
    { nodes, kinds }: SubscribeRequest,
    access: Access,
  ): Promise<readonly string[]> {
    requireWatching(kinds, access)
    const parts = await lookups.findParts(access.scope, nodes.length === 0 ? [ROOT_KEY] : nodes)
    if (parts.size === 0) throw new AppError('node.not-found')
    return toDisjointPaths([...parts.values()].flat())
  }

  /** The cursor from which the client can resume. Undefined if a device may have left the subscription since then. */
  const toSince = ({ since }: SubscribeRequest): SubscribeRequest['since'] =>
    since && since.version > needs.leftVersion() ? since : undefined

  function drop(name: string): void {
    opened.get(name)?.subscription.close()
    opened.delete(name)
  }

  function start(
    request: SubscribeRequest,
    paths: readonly string[],
    since: SubscribeRequest['since'],
  ): void {
    const { sub: name, kinds, deviceIds } = request
    drop(name)
    const subscription = openSubscription({
      name,
      paths,
      kinds,
      deviceIds,
      since,
      clock,
      epoch,
      states,
      send,
      isBehind,
      devices: deviceIds?.flatMap((id) => directory.findById(id) ?? []) ?? directory.below(paths),
    })
    opened.set(name, { request, paths, subscription, isOutdated: false })
  }

  return {
    async open(request, access) {
      if (!opened.has(request.sub) && opened.size >= MAX_SUBSCRIPTIONS) throw new AppError('request.too-many')
      const paths = await findPaths(request, access)
      if (!needs.isClosed()) start(request, paths, toSince(request))
    },
    drop,
    async renew(access, refused) {
      for (const [name, watched] of [...opened]) {
        try {
          const now = await findRemainingPaths(watched.request, access)
          if (isSame(watched.paths, now) && !watched.isOutdated) continue
          await needs.waitForSlice()
          if (needs.isClosed()) return
          start(watched.request, now, undefined)
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          drop(name)
          refused(name, error)
        }
      }
    },
    recordChange(device) {
      for (const { subscription } of opened.values()) subscription.recordChange(device)
    },
    paths: () => [...opened.values()].flatMap((watched) => watched.paths),
    applyMove(former, now) {
      for (const watched of opened.values()) {
        const { subscription } = watched
        const was = former !== undefined && subscription.matches(former)
        if (now && subscription.matches(now)) {
          // A client that watched the device at its former place has its values.
          if (!was) subscription.recordChange(now)
        } else if (was) watched.isOutdated = true
      }
    },
    hasOutdated: () => [...opened.values()].some(({ isOutdated }) => isOutdated),
    covers: (path) => [...opened.values()].some(({ subscription }) => subscription.covers(path)),
    clear() {
      for (const name of [...opened.keys()]) drop(name)
    },
  }
}
