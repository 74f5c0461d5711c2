import type { DeviceDirectory } from '../devices/index.ts'
import type { ProgressNeeds } from './progress.ts'
import type { Originator, Watch } from './watches.ts'

export interface SuppressionNeeds extends ProgressNeeds {
  readonly directory: Pick<DeviceDirectory, 'findById'>
  readonly isGone: (deviceId: number) => boolean
  /** Where an originator stands; undefined when that is not known. */
  readonly findPath: (originator: Originator) => string | undefined
}

const isOn = (watch: Watch | undefined): watch is Watch =>
  watch !== undefined && (watch.phase === 'raised' || watch.phase === 'clearing')

const silences: ReadonlySet<string> = new Set(['device-silent', 'concentrator-silent', 'subtree-silent'])

/** Keeps alarms behind the one that explains them: that of a subtree or of their concentrator. */
export function createSuppression({ watches, put, directory, isGone, findPath }: SuppressionNeeds) {
  /** Alarms of subtrees on the way down to a path, the highest first. */
  function listGroups(path: string): readonly Watch[] {
    if (watches.count('subtree-silent') === 0) return []
    return path.split('/').flatMap((step) => {
      const watch = step === '' ? undefined : watches.findOfNode('subtree-silent', Number(step))
      return watch ?? []
    })
  }

  function findBehind({ kind, originator }: Watch): Watch | undefined {
    const path = findPath(originator)
    if (path === undefined) return undefined
    const { deviceId, nodeId } = originator
    if (silences.has(kind) || (deviceId !== undefined && isGone(deviceId))) {
      const group = listGroups(path).find((watch) => isOn(watch) && watch.originator.nodeId !== nodeId)
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
      listGroups(path).some(({ originator }) => originator.nodeId !== without),

    /** Puts down which alarms are behind another now, and which no longer. */
    update(now: number): void {
      for (const watch of watches.list()) {
        if (!isOn(watch)) continue
        const behind = findBehind(watch)
        if (isSame(behind, watch.behind)) continue
        watches.put({ ...watch, behind })
        const { kind, originator } = watch
        put({ op: 'suppression', kind, originator, at: now, by: behind })
      }
    },
  }
}
