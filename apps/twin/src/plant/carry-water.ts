import { stepPlugPipe } from '@isotherm/thermal/pipes/plug-pipes'
import { farEnd, nearEnd } from './mains.ts'
import type { StationPlant } from './station-plant.ts'

/** Temperature of the ground around the pipes, °C. */
const GROUND_C = 5

/** Moves supply water outwards, pipe by pipe, and mixes it at junctions. */
export function carrySupply(plant: StationPlant, stepS: number): void {
  const { network, mains, supplyAtNode, supplyPipes } = plant
  supplyAtNode[network.pipeCount] = plant.supplyC
  let node = -1
  let [arrived, carried] = [0, 0]
  for (const pipe of mains.order) {
    const far = farEnd(mains, pipe)
    if (far !== node) [node, arrived, carried] = [far, 0, 0]
    const flow = mains.flow[pipe] ?? 0
    const inlet = supplyAtNode[nearEnd(mains, pipe)] ?? plant.supplyC
    const out = stepPlugPipe(supplyPipes, pipe, flow, inlet, GROUND_C, stepS)
    arrived += Math.abs(flow)
    carried += Math.abs(flow) * out
    // Without flow a sensor shows the temperature of the resting water in the pipe.
    supplyAtNode[node] = arrived > 0 ? carried / arrived : out
  }
}

/** Adds the return flows of the circuits to `returnAtNode`, as flow times temperature. */
function gatherCircuits(plant: StationPlant): void {
  const { network, hydraulics, supplyAtNode, returnAtNode, unitReturnC, bypassShare } = plant
  returnAtNode.fill(0)
  network.circuitNode.forEach((node, circuit) => {
    const bypassed = bypassShare[circuit] ?? 0
    const mixed = bypassed * (supplyAtNode[node] ?? 0) + (1 - bypassed) * (unitReturnC[circuit] ?? 0)
    returnAtNode[node] = (returnAtNode[node] ?? 0) + (hydraulics.circuitFlow[circuit] ?? 0) * mixed
  })
}

/** Moves return water back along the path of the supply and mixes it at every node. */
export function carryReturn(plant: StationPlant, stepS: number): void {
  const { network, hydraulics, mains, returnAtNode, returnPipes } = plant
  gatherCircuits(plant)
  let node = -1
  for (let k = mains.order.length - 1; k >= 0; k--) {
    const pipe = mains.order[k] ?? 0
    const far = farEnd(mains, pipe)
    const through = mains.through[far] ?? 0
    if (far !== node) returnAtNode[far] = through > 0 ? (returnAtNode[far] ?? 0) / through : GROUND_C
    node = far
    const flow = mains.flow[pipe] ?? 0
    const out = stepPlugPipe(returnPipes, pipe, flow, returnAtNode[far] ?? GROUND_C, GROUND_C, stepS)
    if (!(through > 0)) returnAtNode[far] = out
    const near = nearEnd(mains, pipe)
    returnAtNode[near] = (returnAtNode[near] ?? 0) + Math.abs(flow) * out
  }
  const total = hydraulics.totalFlow
  const root = network.pipeCount
  returnAtNode[root] = total > 0 ? (returnAtNode[root] ?? 0) / total : plant.supplyC
}
