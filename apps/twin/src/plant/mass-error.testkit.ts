import type { StationPlant } from './station-plant.ts'

/** Largest mass error of a station's nodes (inflow less outflow), relative to the station's flow; 0 if nothing moves. */
export function massError({ network, hydraulics, mains }: StationPlant): number {
  const rest = new Float64Array(network.pipeCount + 1)
  const add = (node: number, flow: number) => {
    rest[node] = (rest[node] ?? 0) + flow
  }
  mains.flow.forEach((flow, pipe) => {
    add(mains.to[pipe] ?? 0, flow)
    add(mains.from[pipe] ?? 0, -flow)
  })
  hydraulics.circuitFlow.forEach((flow, circuit) => {
    add(network.circuitNode[circuit] ?? 0, -flow)
  })
  add(network.pipeCount, hydraulics.totalFlow)
  const worst = rest.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  return worst === 0 ? 0 : worst / hydraulics.totalFlow
}
