import type { RecordChanges } from '../drive/registry.ts'
import type { PlantChanges } from '../plant/plant-spec.ts'

/** Shares of buildings with a fault. */
export interface FaultShares {
  /** Return sensors that are strapped to the outside of the pipe and read too cold. */
  readonly strapped?: number
  readonly blocked?: number
  readonly offline?: number
  /** Number of meters that show zero. */
  readonly zeroMeters?: number
  /** Valves that report 100 − x at x, that go to 100 − p for p, and that do both, so that reports agree with orders. */
  readonly invertedReports?: number
  readonly invertedDrives?: number
  readonly invertedBoth?: number
  /** Valves whose reported opening is wrong by 10 to 20 percentage points. */
  readonly feedback?: number
}

/** A plant with its faults and the records that the registry has of it. */
export interface ForeignCase {
  readonly name: string
  readonly plant?: Omit<PlantChanges, 'seed'>
  readonly faults?: FaultShares
  readonly records?: RecordChanges
  readonly maySetPump?: boolean
  /** Faults count in the share of verified campaigns; curves in the shares of healthy valves judged faulty; inverted in those
   * of inverted valves found and of others called inverted. */
  readonly counts?: readonly ('fault' | 'curves' | 'blocked' | 'inverted')[]
  /** Refusals whose reason is true in this case. */
  readonly trueRefusals?: readonly string[]
  /** True if the case runs only with meters: without meters it would equal the base. */
  readonly onlyMetered?: boolean
  /** Whether it is repeated with a trim at each of TRIM_HOURS; otherwise only at the usual hours. */
  readonly allHours?: boolean
  /** Whether the project's proportional strategy runs on the same plant too, for comparison. */
  readonly withStrategy?: boolean
}

/** Hours between the last wave and the user's trim. If the round is verified later, the trim follows at once. */
export const TRIM_HOURS = [2, 6, 12, 24, 48, 72, 120] as const
export const USUAL_RETURN_HOURS = [24] as const
export const USUAL_ROOM_HOURS = [2, 24] as const

/** Code of a refused plan: the loop is not identified. */
const UNIDENTIFIED = 'balance.not-identified'

export const BASE = 'base'
export const EVERYTHING = 'everything together'

export const foreignCases: readonly ForeignCase[] = [
  { name: BASE, allHours: true, withStrategy: true },
  { name: '10 % wrong plates', records: { wrongPlates: 0.1 }, counts: ['fault', 'curves'] },
  { name: '30 % wrong plates', records: { wrongPlates: 0.3 }, counts: ['fault', 'curves'] },
  { name: '10 % strapped −3 K', faults: { strapped: 0.1 }, counts: ['fault'] },
  { name: '5 % blocked', faults: { blocked: 0.05 }, counts: ['fault', 'blocked'] },
  { name: '10 % blocked', faults: { blocked: 0.1 }, counts: ['fault', 'blocked'] },
  { name: '5 % inverted reports', faults: { invertedReports: 0.05 }, counts: ['fault', 'inverted'] },
  { name: '5 % inverted drives', faults: { invertedDrives: 0.05 }, counts: ['fault', 'inverted'] },
  { name: '5 % inverted both', faults: { invertedBoth: 0.05 }, counts: ['fault'] },
  { name: '10 % offset feedback', faults: { feedback: 0.1 }, counts: ['fault'] },
  { name: 'one zero meter', faults: { zeroMeters: 1 }, counts: ['fault'], onlyMetered: true },
  {
    name: 'unknown areas',
    records: { hasAreas: false },
    counts: ['fault'],
    trueRefusals: [UNIDENTIFIED],
    allHours: true,
  },
  {
    name: 'no pipes, no plates',
    records: { hasPipes: false, hasPlates: false },
    counts: ['fault'],
    trueRefusals: [UNIDENTIFIED],
  },
  { name: 'all linear', plant: { linearShare: 1 }, counts: ['fault', 'curves'] },
  { name: 'all ball', plant: { ballShare: 1 }, counts: ['fault', 'curves'] },
  { name: '40 % linear', plant: { linearShare: 0.4 }, counts: ['fault', 'curves'] },
  { name: '20 % offline', faults: { offline: 0.2 }, counts: ['fault'] },
  {
    name: '60 % offline',
    faults: { offline: 0.6 },
    counts: ['fault'],
    trueRefusals: ['balance.not-measured'],
  },
  { name: 'clogged strainer', plant: { clogged: 1 }, counts: ['fault'], allHours: true },
  {
    name: EVERYTHING,
    plant: { linearShare: 0.4, clogged: 1 },
    faults: { strapped: 0.1, blocked: 0.05, offline: 0.2, zeroMeters: 1 },
    records: { wrongPlates: 0.1, hasAreas: false, hasPipes: false },
    counts: ['fault'],
    trueRefusals: [UNIDENTIFIED],
    allHours: true,
    withStrategy: true,
  },
  { name: 'constant head, pump set', plant: { pump: 'constant-head' }, maySetPump: true },
  { name: '30 % floors', plant: { floorShare: 0.3 } },
]
