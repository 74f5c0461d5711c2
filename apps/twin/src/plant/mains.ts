import type { TreeState } from '@isotherm/hydraulics/tree/solve-tree'
import type { TreeNetwork } from '@isotherm/hydraulics/tree/tree-network'

/**
 * A station's pipes as water fills them: those of the tree, then those that close loops. Node `pipeCount` of the tree is
 * the station, node i the far end of its pipe i.
 */
export interface Mains {
  readonly from: Int32Array
  readonly to: Int32Array
  /** kg/s; negative from `to` to `from`. */
  readonly flow: Float64Array
  /** Flow through each node except the station, kg/s. */
  readonly through: Float64Array
  /** Pipes in flow order: each one after its upstream pipes, and pipes into the same node next to each other. */
  readonly order: Int32Array
}

/** The mains of a tree, with fixed flow directions and order. */
export const treeMains = (
  { parent, order }: TreeNetwork,
  { pipeFlow }: Pick<TreeState, 'pipeFlow'>,
): Mains => ({
  from: parent,
  to: Int32Array.from(parent.keys()),
  flow: pipeFlow,
  through: pipeFlow,
  order,
})

/** Downstream and upstream node of a pipe. Without flow the direction counts as outwards. */
export const farEnd = ({ from, to, flow }: Mains, pipe: number): number =>
  ((flow[pipe] ?? 0) < 0 ? from[pipe] : to[pipe]) ?? 0
export const nearEnd = ({ from, to, flow }: Mains, pipe: number): number =>
  ((flow[pipe] ?? 0) < 0 ? to[pipe] : from[pipe]) ?? 0
