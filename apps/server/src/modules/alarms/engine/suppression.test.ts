import type { AlarmKind } from '@isotherm/contract/alarms/alarm-kinds'
import { expect, test } from 'vitest'
import { stoppedKinds } from './measures.ts'
import { createSuppression } from './suppression.ts'
import { type Change, createWatches, type Originator, type Watch } from './watches.ts'

const raised = (kind: AlarmKind, originator: Originator, phase: Watch['phase'] = 'raised'): Watch => ({
  kind,
  originator,
  phase,
  since: 0,
  judgedAt: 0,
})

/** Node 4 with the valve 7, which reports by the concentrator 5. */
function start(watched: readonly Watch[], absent: readonly number[] = []) {
  const watches = createWatches()
  for (const watch of watched) watches.put(watch)
  const changes: Change[] = []
  const suppression = createSuppression({
    watches,
    put: (change) => changes.push(change),
    directory: {
      findById: (id) => (id === 7 ? ({ concentratorId: 5 } as never) : undefined),
    },
    isAbsent: (deviceId) => absent.includes(deviceId),
    findPath: ({ deviceId, nodeId }) =>
      nodeId === undefined
        ? deviceId === 99
          ? undefined
          : `/1/4/d${deviceId}/`
        : nodeId === 1
          ? '/1/'
          : '/1/4/',
  })
  const update = () => {
    changes.length = 0
    suppression.update(1_000)
    return changes.map((change) =>
      change.op === 'suppression'
        ? [change.originator.deviceId ?? `n${change.originator.nodeId}`, change.kind, change.by?.kind]
        : change.op,
    )
  }
  return { watches, changes, update, isBelowSilentSubtree: suppression.isBelowSilentSubtree }
}

const [valve, hub, node, project] = [{ deviceId: 7 }, { deviceId: 5 }, { nodeId: 4 }, { nodeId: 1 }]

test('the silence of a subtree explains the silence of its devices, but not a cold room', () => {
  const { update } = start([
    raised('subtree-silent', node),
    raised('device-silent', valve),
    raised('room-cold', { deviceId: 8 }),
  ])
  expect(update()).toEqual([[7, 'device-silent', 'subtree-silent']])
  expect(update()).toEqual([])
})

test('the silence of a subtree explains every alarm of a silent device', () => {
  const { update } = start([raised('subtree-silent', node), raised('room-cold', { deviceId: 8 })], [8])
  expect(update()).toEqual([[8, 'room-cold', 'subtree-silent']])
})

test('a silent subtree is explained by a higher one, not by itself', () => {
  const { update } = start([raised('subtree-silent', project), raised('subtree-silent', node)])
  expect(update()).toEqual([['n4', 'subtree-silent', 'subtree-silent']])
})

test('a silent concentrator explains the alarms of the devices behind it, until it reports', () => {
  const { update, watches } = start([raised('concentrator-silent', hub), raised('valve-off-target', valve)])
  expect(update()).toEqual([[7, 'valve-off-target', 'concentrator-silent']])
  watches.remove('concentrator-silent', hub)
  expect(update()).toEqual([[7, 'valve-off-target', undefined]])
})

test('an alarm in its delay explains nothing, and an alarm at an unknown place is not explained', () => {
  const delayed = start([raised('subtree-silent', node, 'raising'), raised('device-silent', valve)])
  expect(delayed.update()).toEqual([])
  const unknown = start([raised('subtree-silent', project), raised('device-silent', { deviceId: 99 })])
  expect(unknown.update()).toEqual([])
})

test('a path is below a silent subtree, also in its delay, except the subtree that is left out', () => {
  const { isBelowSilentSubtree } = start([raised('subtree-silent', node, 'raising')])
  expect(isBelowSilentSubtree('/1/4/d7/', {})).toBe(true)
  expect(isBelowSilentSubtree('/1/4/d7/', { without: 4 })).toBe(false)
  expect(isBelowSilentSubtree('/1/5/d7/', {})).toBe(false)
  expect(start([]).isBelowSilentSubtree('/1/4/d7/', {})).toBe(false)
})

test('the highest silent subtree is the cause, and a new cause replaces it', () => {
  const { update, watches, changes } = start([
    raised('subtree-silent', project),
    raised('subtree-silent', node),
    raised('device-silent', valve),
  ])
  update()
  expect(changes).toContainEqual(
    expect.objectContaining({ originator: valve, by: watches.find('subtree-silent', project) }),
  )
  watches.remove('subtree-silent', project)
  update()
  expect(changes).toContainEqual(
    expect.objectContaining({ originator: valve, by: watches.find('subtree-silent', node) }),
  )
})

test('a silent device without a silent subtree is explained by its concentrator', () => {
  const { update } = start([raised('concentrator-silent', hub), raised('device-silent', valve)])
  expect(update()).toEqual([[7, 'device-silent', 'concentrator-silent']])
})

test('a silent subtree explains a stopped campaign of its own node', () => {
  const stopped = stoppedKinds.get('campaign') ?? 'room-cold'
  const { update } = start([raised('subtree-silent', node), raised(stopped, node)])
  expect(update()).toEqual([['n4', stopped, 'subtree-silent']])
})
