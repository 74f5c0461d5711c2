import { alarmKindDefinition } from '@isotherm/contract/alarms/alarm-kinds'
import type { MetricName } from '@isotherm/contract/metrics'
import type { DirectoryEntry } from '../../devices/index.ts'
import { createRuleBook, type StoredRule } from '../rules/rule-book.ts'
import { createEngine } from './engine.ts'
import { type Change, toOriginatorKey } from './watches.ts'

/** In the heating season, at noon in Shanghai. */
export const START = Date.UTC(2026, 10, 21, 4)
export const MINUTE = 60_000
export const zones = new Map([['demo', 'Asia/Shanghai']])

export const toEntry = (id: number, kind: DirectoryEntry['kind'], path: string, concentratorId?: number) =>
  ({
    id,
    kind,
    path: `${path}d${id}/`,
    concentratorId,
    tenant: 'demo',
    serial: `s${id}`,
    periodS: 60,
  }) as const

export function toRule(given: Partial<StoredRule> & Pick<StoredRule, 'kind' | 'nodeId'>): StoredRule {
  return { id: 1, deviceKinds: [], ...alarmKindDefinition(given.kind).standard, ...given }
}

/** An engine over some devices; `outcomes` lists its changes of alarms so far. */
export function startEngine(devices: readonly DirectoryEntry[], rules: readonly StoredRule[] = []) {
  const byId = new Map(devices.map((device) => [device.id, device]))
  const changes: Change[] = []
  const newest = new Map<number, number>()
  const engine = createEngine({
    directory: {
      findById: (id) => byId.get(id),
      countBelow: (path) => devices.filter((device) => device.path.startsWith(path)).length,
    },
    findNewest: (id) => newest.get(id),
    put: (change) => changes.push(change),
  })
  engine.useRules(createRuleBook(rules, zones), START)
  let now = START
  return {
    engine,
    outcomes: () =>
      changes.flatMap((change) =>
        change.op === 'delay' ? [] : [`${change.op} ${change.kind} ${toOriginatorKey(change.originator)}`],
      ),
    changes,
    /** Instants of the newest readings of devices, Unix ms. */
    newest,
    /** Advances the time and ticks the engine every few seconds. */
    pass(minutes: number, everyMs = 10_000) {
      for (const end = now + minutes * MINUTE; now < end; ) {
        now += everyMs
        engine.tick(now)
      }
    },
    read(id: number, values: Partial<Record<MetricName, number>>, bits = 0) {
      const device = byId.get(id)
      if (!device) throw new Error('no such device')
      const given = Object.entries(values) as [MetricName, number][]
      const sample = {
        device,
        ts: now,
        values: given.map(([metric, value]) => ({ metric, value, quality: bits })),
      }
      engine.observe([sample])
    },
    setPresence(presence: 'present' | 'silent' | 'unknown', ...ids: readonly number[]) {
      engine.observePresence(ids.map((deviceId) => ({ deviceId, at: now, presence })))
    },
  }
}
