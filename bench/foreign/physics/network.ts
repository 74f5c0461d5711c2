import { type Bore, pipeLossPa } from './friction.ts'

/** A trench with a supply and a return pipe. It ends at the junction with its own index; −1 is the station. */
export interface Trench extends Bore {
  /** Index of the trench before it; smaller than its own. */
  readonly before: number
}

/** Branches between supply and return: buildings and bypasses, each at a junction. */
export interface Branches {
  readonly junction: Int32Array
  /** Circuit, strainer and valve, Pa/(kg/s)². */
  readonly resistance: Float64Array
}

/** Water that leaves the supply at a junction and does not return, kg/s. */
export interface Leak {
  readonly junction: number
  readonly flowKgS: number
}

/** Head between the station's supply and return, Pa, at a flow through the station's supply, kg/s. */
export type StationHead = (flowKgS: number) => number

/** A solved network. Flows in kg/s by trench and by branch, heads in Pa. */
export interface NetworkFlows {
  readonly supplyKgS: Float64Array
  readonly returnKgS: Float64Array
  readonly branchKgS: Float64Array
  readonly totalKgS: number
  readonly headPa: number
}

const MAX_ITERATIONS = 100
/** Largest change of a flow in the last iteration, relative to the total. */
const TOLERANCE = 1e-9
const SMALLEST_FLOW = 1e-6

/** Leakage through each trench, kg/s. */
function leakThrough(trenches: readonly Trench[], leaks: readonly Leak[]): Float64Array {
  const through = new Float64Array(trenches.length)
  for (const { junction, flowKgS } of leaks)
    for (let at = junction; at >= 0; at = trenches[at]?.before ?? -1)
      through[at] = (through[at] ?? 0) + flowKgS
  return through
}

/**
 * Flows of a tree by Newton's method. Each element is replaced by its tangent, p = r·q + c; the tangents are
 * eliminated from the ends to the station as equivalent conductances with a source, and the flows follow from the
 * station outwards. `start` are branch flows near the solution. Worked example: network.test.ts.
 */
export function solveNetwork(
  trenches: readonly Trench[],
  { junction, resistance }: Branches,
  leaks: readonly Leak[],
  head: StationHead,
  start: Float64Array,
): NetworkFlows {
  const [count, branches] = [trenches.length, junction.length]
  const lost = leakThrough(trenches, leaks)
  const leakage = leaks.reduce((total, { flowKgS }) => total + flowKgS, 0)
  const branchKgS = start.map((flow) => Math.max(SMALLEST_FLOW, flow))
  const returnKgS = new Float64Array(count)
  const supplyKgS = new Float64Array(count)
  const [conductance, source] = [new Float64Array(count), new Float64Array(count)]
  const [tangent, offset] = [new Float64Array(count), new Float64Array(count)]
  let [totalKgS, headPa] = [0, 0]
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
    returnKgS.fill(0)
    for (let b = 0; b < branches; b++) {
      const at = junction[b] ?? 0
      returnKgS[at] = (returnKgS[at] ?? 0) + (branchKgS[b] ?? 0)
    }
    for (let t = count - 1; t >= 0; t--) {
      const before = trenches[t]?.before ?? -1
      if (before >= 0) returnKgS[before] = (returnKgS[before] ?? 0) + (returnKgS[t] ?? 0)
      supplyKgS[t] = (returnKgS[t] ?? 0) + (lost[t] ?? 0)
    }
    // Tangents of the branches: p = 2Rq₀·q − Rq₀².
    conductance.fill(0)
    source.fill(0)
    for (let b = 0; b < branches; b++) {
      const [at, flow, own] = [junction[b] ?? 0, branchKgS[b] ?? 0, resistance[b] ?? 0]
      conductance[at] = (conductance[at] ?? 0) + 1 / (2 * own * flow)
      source[at] = (source[at] ?? 0) + flow / 2
    }
    let [rootConductance, rootSource] = [0, 0]
    for (let t = count - 1; t >= 0; t--) {
      const trench = trenches[t]
      if (!trench) continue
      const [down, up] = [supplyKgS[t] ?? 0, returnKgS[t] ?? 0]
      const loss = pipeLossPa(trench, down) + pipeLossPa(trench, up)
      const slope = (2 * loss) / Math.max(SMALLEST_FLOW, up)
      tangent[t] = slope
      offset[t] = loss - slope * up
      const own = conductance[t] ?? 0
      const joined = 1 / (slope + 1 / own)
      // q = G·(P − c − I/Y·…): flow through the trench by the head before it.
      const flowAtZero = joined * (-(offset[t] ?? 0) + (source[t] ?? 0) / own)
      conductance[t] = joined
      source[t] = flowAtZero
      if (trench.before >= 0) {
        conductance[trench.before] = (conductance[trench.before] ?? 0) + joined
        source[trench.before] = (source[trench.before] ?? 0) + flowAtZero
      } else {
        rootConductance += joined
        rootSource += flowAtZero
      }
    }
    totalKgS = branchKgS.reduce((total, flow) => total + flow, 0)
    const flow = totalKgS + leakage
    const step = Math.max(1e-4, 1e-3 * flow)
    const headSlope = (head(flow + step) - head(flow - step)) / (2 * step)
    // h(q) = h₀ + h′·(q − q₀) and q = Y·h + I.
    headPa = (head(flow) + headSlope * (rootSource - totalKgS)) / (1 - headSlope * rootConductance)
    const at = new Float64Array(count)
    let change = 0
    for (let t = 0; t < count; t++) {
      const before = trenches[t]?.before ?? -1
      const above = before < 0 ? headPa : (at[before] ?? 0)
      const through = (conductance[t] ?? 0) * above + (source[t] ?? 0)
      at[t] = above - (tangent[t] ?? 0) * through - (offset[t] ?? 0)
    }
    for (let b = 0; b < branches; b++) {
      const [was, own] = [branchKgS[b] ?? 0, resistance[b] ?? 0]
      const next = ((at[junction[b] ?? 0] ?? 0) + own * was ** 2) / (2 * own * was)
      // A tangent at a tiny flow points far beyond the solution.
      const now = Math.min(10 * was, Math.max(SMALLEST_FLOW, 0.1 * was, next))
      change = Math.max(change, Math.abs(now - was))
      branchKgS[b] = now
    }
    if (change < TOLERANCE * totalKgS) break
  }
  return { supplyKgS, returnKgS, branchKgS, totalKgS: totalKgS + leakage, headPa }
}
