import type { DeviceFault, FaultKind, FaultOf } from './fault.ts'

/** An active fault of a device. */
export interface ActiveFault {
  readonly fault: DeviceFault
  /** Start in simulated seconds. */
  readonly sinceS: number
}

/** Finds a fault of a kind. */
type ActiveOf<Kind extends DeviceFault['kind']> = ActiveFault & { readonly fault: FaultOf<Kind> }

/**
 * Active and waiting faults by device. A device has each kind at most once per metric; a later fault replaces an earlier one.
 * No I/O, no clock: the caller passes the simulated time.
 */
export interface FaultBoard {
  /** Adds a fault, active immediately or from its `fromS`. */
  readonly inject: (fault: DeviceFault) => void
  /** Ends the faults of a kind, or all, of a device. Returns their number. */
  readonly repair: (target: string, kind?: FaultKind) => number
  /** Starts and ends the faults that are due at a simulated second. */
  readonly advance: (simTimeS: number) => void
  readonly find: <Kind extends DeviceFault['kind']>(target: string, kind: Kind) => ActiveOf<Kind> | undefined
  /** Active faults of a device in the order of their start; empty for most devices. */
  readonly of: (target: string) => readonly ActiveFault[]
  /** Devices with active faults. */
  readonly targets: () => Iterable<string>
  /** Increases whenever a fault starts or ends. */
  readonly revision: () => number
  readonly save: () => FaultBoardState
  readonly load: (state: FaultBoardState) => void
}

export interface FaultBoardState {
  readonly nowS: number
  readonly active: readonly ActiveFault[]
  readonly waiting: readonly DeviceFault[]
}

const NONE: readonly ActiveFault[] = []

const metricOf = (fault: DeviceFault): string => ('metric' in fault ? (fault.metric ?? '') : '')
const isSamePlace = (left: DeviceFault, right: DeviceFault): boolean =>
  left.target === right.target && left.kind === right.kind && metricOf(left) === metricOf(right)

const isOf =
  <Kind extends DeviceFault['kind']>(kind: Kind) =>
  (active: ActiveFault): active is ActiveOf<Kind> =>
    active.fault.kind === kind

export function createFaultBoard(faults: readonly DeviceFault[], startS: number): FaultBoard {
  const active = new Map<string, ActiveFault[]>()
  let waiting: DeviceFault[] = []
  let nowS = startS
  let revision = 0

  const begin = (fault: DeviceFault, sinceS: number): void => {
    const others = (active.get(fault.target) ?? []).filter((other) => !isSamePlace(other.fault, fault))
    active.set(fault.target, [...others, { fault, sinceS }])
    revision++
  }
  const retainActive = (target: string, stays: (each: ActiveFault) => boolean): number => {
    const before = active.get(target) ?? NONE
    const after = before.filter(stays)
    if (after.length === before.length) return 0
    if (after.length === 0) active.delete(target)
    else active.set(target, after)
    revision++
    return before.length - after.length
  }
  const inject = (fault: DeviceFault): void => {
    waiting = waiting.filter((other) => !isSamePlace(other, fault))
    if (fault.untilS !== undefined && fault.untilS <= nowS) return
    if ((fault.fromS ?? 0) > nowS) waiting.push(fault)
    else begin(fault, fault.fromS ?? nowS)
  }
  for (const fault of faults) inject(fault)

  return {
    inject,
    repair: (target, kind) => {
      const matches = (fault: DeviceFault) =>
        fault.target === target && (kind === undefined || fault.kind === kind)
      const before = waiting.length
      waiting = waiting.filter((fault) => !matches(fault))
      return before - waiting.length + retainActive(target, ({ fault }) => !matches(fault))
    },
    advance: (simTimeS) => {
      nowS = simTimeS
      const due = waiting.filter((fault) => (fault.fromS ?? 0) <= simTimeS)
      if (due.length > 0) {
        waiting = waiting.filter((fault) => !due.includes(fault))
        for (const fault of due) inject(fault)
      }
      for (const target of [...active.keys()]) {
        retainActive(target, ({ fault }) => fault.untilS === undefined || fault.untilS > simTimeS)
      }
    },
    find: (target, kind) => active.get(target)?.find(isOf(kind)),
    of: (target) => active.get(target) ?? NONE,
    targets: () => active.keys(),
    revision: () => revision,
    save: () => ({ nowS, active: [...active.values()].flat(), waiting }),
    load: (state) => {
      nowS = state.nowS
      active.clear()
      waiting = [...state.waiting]
      for (const { fault, sinceS } of state.active) begin(fault, sinceS)
      revision++
    },
  }
}
