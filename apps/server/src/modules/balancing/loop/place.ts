/** Where a balance takes place: the valves below a node, and the loop of the one station that supplies them. */
export interface Place {
  readonly companyId: number
  /** The node that was asked for. */
  readonly node: string
  readonly nodeName: string
  readonly nodePath: string
  /** Number of the node on which the station's controller stands; campaigns take turns on it. */
  readonly stationNodeId: number
  readonly stationName: string
  readonly stationPath: string
}
