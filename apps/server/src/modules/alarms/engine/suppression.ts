import type { DeviceDirectory } from '../../devices/index.ts'
import { someNode } from '../model/path-nodes.ts'
import { stoppedKinds } from './measures.ts'
import type { ProgressNeeds } from './progress.ts'
import { isOn, type Originator, type Watch } from './watches.ts'

export interface SuppressionNeeds extends ProgressNeeds {
  readonly directory: Pick<DeviceDirectory, 'findById'>
  readonly isGone: (deviceId: number) => boolean
  /** Where an originator stands; undefined when that is not known. */
  readonly findPath: (originator: Originator) => string | undefined
}

/** What a silent subtree explains wherever it is in it: balancing stops when it hears of nobody. */
const explained: ReadonlySet<string> = new Set([
  'device-silent',
  'concentrator-silent',
  'subtree-silent',
  ...stoppedKinds.values(),
])

/** Keeps alarms behind the one that explains them: that of a subtree or of their concentrator. */
export function createSuppression({ watches, put, directory, isGone, findPath }: SuppressionNeeds) {
  /** The highest subtree on the way down to a path whose watch is meant. */
  function findGroup(path: string, isMeant: (watch: Watch, nodeId: number) => boolean): Watch | undefined {
    if (watches.count('subtree-silent') === 0) return undefined
    let found: Watch | undefined
    someNode(path, (nodeId) => {
      const watch = watches.findOfNode('subtree-silent', nodeId)
      if (watch && isMeant(watch, nodeId)) found = watch
      return found !== undefined
    })
    return found
  }

  function findBehind({ kind, originator }: Watch): Watch | undefined {
    const path = findPath(originator)
    if (path === undefined) return undefined
    const { deviceId, nodeId } = originator
    if (explained.has(kind) || (deviceId !== undefined && isGone(deviceId))) {
      const isItself = (id: number): boolean => kind === 'subtree-silent' && id === nodeId
      const group = findGroup(path, (watch, id) => isOn(watch) && !isItself(id))
      if (group) return group
    }
    const hubId = deviceId === undefined ? undefined : directory.findById(deviceId)?.concentratorId
    const hub = hubId === undefined ? undefined : watches.findOfDevice('concentrator-silent', hubId)
    return isOn(hub) ? hub : undefined
  }

  const isSame = (left: Watch | undefined, right: Watch | undefined): boolean =>
    left?.kind === right?.kind &&
    left?.originator.deviceId === right?.originator.deviceId &&
    left?.originator.nodeId === right?.originator.nodeId

  return {
    /** Whether a subtree that a path lies in is silent, or about to be found so. */
    isBelowGroup: (path: string, { without }: { readonly without?: number }): boolean =>
      findGroup(path, (_, nodeId) => nodeId !== without) !== undefined,

    /** Puts down which alarms are behind another now, and which no longer. */
    update(now: number): void {
      for (const watch of watches.listOn()) {
        const behind = findBehind(watch)
        if (isSame(behind, watch.behind)) continue
        watches.put({ ...watch, behind })
        const { kind, originator } = watch
        put({ op: 'suppression', kind, originator, at: now, by: behind })
      }
    },
  }
}
