import { getDataLastFromNodeList } from '@isotherm/contract/endpoints/telemetry'
import type { LiveEvent, LiveRequest } from '@isotherm/contract/live'
import { AppError } from '../../platform/app-error.ts'
import { requireAccess } from '../../platform/http/access.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { DirectoryEntry } from '../devices/index.ts'
import type { LiveNeeds } from './needs.ts'
import { openSubscription, type Subscription } from './subscription.ts'

export type SubscribeRequest = LiveRequest & { readonly type: 'subscribe' }

/** What a caller may see; it changes while the connection lasts. */
export type Access = Pick<Caller, 'permissions' | 'scope'>

interface Opened {
  readonly request: SubscribeRequest
  readonly paths: readonly string[]
  readonly subscription: Subscription
}

/** The subscriptions of one connection, by name. */
export interface Subscriptions {
  /** Throws access.denied, node.not-found or request.too-many. */
  open(request: SubscribeRequest, access: Access): Promise<void>
  drop(name: string): void
  /**
   * Cuts each subscription down to what the access shows now; one that changes by it starts anew. Those that
   * nothing is left of are dropped and `refused` is told.
   */
  renew(access: Access, refused: (name: string, error: AppError) => void): Promise<void>
  note(device: DirectoryEntry): void
  covers(path: string): boolean
  clear(): void
}

export interface SubscriptionsNeeds
  extends Pick<LiveNeeds, 'clock' | 'epoch' | 'network' | 'states' | 'directory'> {
  readonly send: (event: LiveEvent) => void
  readonly isBehind: () => boolean
  /** Whether the connection ended while something was awaited. */
  readonly isClosed: () => boolean
}

const MAX_SUBSCRIPTIONS = 16

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((path, index) => path === right[index])

export function createSubscriptions(needs: SubscriptionsNeeds): Subscriptions {
  const { clock, epoch, network, states, directory, send, isBehind } = needs
  const opened = new Map<string, Opened>()

  function findPaths({ nodes }: SubscribeRequest, access: Access): Promise<readonly string[]> {
    requireAccess(getDataLastFromNodeList.access, access)
    return network.resolveNodes(access.scope, nodes)
  }

  function drop(name: string): void {
    opened.get(name)?.subscription.close()
    opened.delete(name)
  }

  function start(
    request: SubscribeRequest,
    paths: readonly string[],
    since: SubscribeRequest['since'],
  ): void {
    const { sub: name, kinds } = request
    drop(name)
    const subscription = openSubscription({
      ...{ name, paths, kinds, since, clock, epoch, states, send, isBehind },
      devices: directory.entries(),
    })
    opened.set(name, { request, paths, subscription })
  }

  return {
    async open(request, access) {
      if (!opened.has(request.sub) && opened.size >= MAX_SUBSCRIPTIONS) throw new AppError('request.too-many')
      const paths = await findPaths(request, access)
      if (!needs.isClosed()) start(request, paths, request.since)
    },
    drop,
    async renew(access, refused) {
      for (const [name, { request, paths }] of [...opened]) {
        try {
          const now = await findPaths(request, access)
          if (needs.isClosed()) return
          if (!isSame(paths, now)) start(request, now, undefined)
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          drop(name)
          refused(name, error)
        }
      }
    },
    note(device) {
      for (const { subscription } of opened.values()) subscription.note(device)
    },
    covers: (path) => [...opened.values()].some(({ subscription }) => subscription.covers(path)),
    clear() {
      for (const name of [...opened.keys()]) drop(name)
    },
  }
}
