import type { DeviceDirectory } from '../../devices/index.ts'
import { someNode } from '../model/path-nodes.ts'
import { stoppedKinds } from './measures.ts'
import type { ProgressNeeds } from './progress.ts'
import { isOn, type Originator, type Watch } from './watches.ts'

export interface SuppressionNeeds extends ProgressNeeds {
  readonly directory: Pick<DeviceDirectory, 'findById'>
  readonly isAbsent: (deviceId: number) => boolean
  /** Path of an originator; undefined if it is not known. */
  readonly findPath: (originator: Originator) => string | undefined
}

/** Kinds of alarm in a silent subtree that its silence explains: balancing also stops without readings. */
const explainedBySilence: ReadonlySet<string> = new Set([
  'device-silent',
  'concentrator-silent',
  'subtree-silent',
  ...stoppedKinds.values(),
])

/** Suppresses alarms that another alarm explains: that of a silent subtree or of their concentrator. */
export function createSuppression({ watches, put, directory, isAbsent, findPath }: SuppressionNeeds) {
  /** The watch of the highest silent subtree above a path that matches. */
  function findSilentSubtree(
    path: string,
    matches: (watch: Watch, nodeId: number) => boolean,
  ): Watch | undefined {
    if (watches.count('subtree-silent') === 0) return undefined
    let found: Watch | undefined
    someNode(path, (nodeId) => {
      const watch = watches.findOfNode('subtree-silent', nodeId)
      if (watch && matches(watch, nodeId)) found = watch
      return found !== undefined
    })
    return found
  }

  function findCause({ kind, originator }: Watch): Watch | undefined {
    const path = findPath(originator)
    if (path === undefined) return undefined
    const { deviceId, nodeId } = originator
    if (explainedBySilence.has(kind) || (deviceId !== undefined && isAbsent(deviceId))) {
      const isItself = (id: number): boolean => kind === 'subtree-silent' && id === nodeId
      const subtree = findSilentSubtree(path, (watch, id) => isOn(watch) && !isItself(id))
      if (subtree) return subtree
    }
    const concentratorId = deviceId === undefined ? undefined : directory.findById(deviceId)?.concentratorId
    const concentrator =
      concentratorId === undefined ? undefined : watches.findOfDevice('concentrator-silent', concentratorId)
    return isOn(concentrator) ? concentrator : undefined
  }

  const isSame = (left: Watch['suppressedBy'], right: Watch['suppressedBy']): boolean =>
    left?.kind === right?.kind &&
    left?.originator.deviceId === right?.originator.deviceId &&
    left?.originator.nodeId === right?.originator.nodeId

  return {
    /**
     * Whether the path is in a silent subtree, or in one whose alarm delay is running. The subtree of `without` does
     * not count.
     */
    isBelowSilentSubtree: (path: string, { without }: { readonly without?: number }): boolean =>
      findSilentSubtree(path, (_, nodeId) => nodeId !== without) !== undefined,

    /** Updates which alarms are suppressed, and stores the changes. */
    update(now: number): void {
      for (const watch of watches.listOn()) {
        const suppressedBy = findCause(watch)
        if (isSame(suppressedBy, watch.suppressedBy)) continue
        watches.put({ ...watch, suppressedBy })
        const { kind, originator } = watch
        put({ op: 'suppression', kind, originator, at: now, by: suppressedBy })
      }
    },
  }
}
