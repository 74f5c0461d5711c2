import type { TreeState } from '@isotherm/hydraulics/tree/solve-tree'
import type { TreeNetwork } from '@isotherm/hydraulics/tree/tree-network'

/**
 * A station's pipes as water fills them: those of the tree, then those that close loops. Node `pipeCount` of the tree is
 * the station, node i the far end of its pipe i.
 */
export interface Mains {
  readonly from: Int32Array
  readonly to: Int32Array
  /** kg/s; below zero it goes from `to` to `from`. */
  readonly flow: Float64Array
  /** What goes through each node but the station's, kg/s. */
  readonly through: Float64Array
  /** Each pipe after all that bring its water, and those that bring it to one node side by side. */
  readonly order: Int32Array
}

/** The mains of a tree, whose pipes run one way and in one order whatever flows. */
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

/** The node that a pipe's water goes to, and that which it comes from. Standing water counts as going outwards. */
export const farEnd = ({ from, to, flow }: Mains, pipe: number): number =>
  ((flow[pipe] ?? 0) < 0 ? from[pipe] : to[pipe]) ?? 0
export const nearEnd = ({ from, to, flow }: Mains, pipe: number): number =>
  ((flow[pipe] ?? 0) < 0 ? to[pipe] : from[pipe]) ?? 0
