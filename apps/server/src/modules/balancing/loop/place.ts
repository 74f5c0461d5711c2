/** Place of a balance: the valves below a node, and the loop of the one station that supplies them. */
export interface Place {
  readonly companyId: number
  /** The node of the request. */
  readonly node: string
  readonly nodeName: string
  readonly nodePath: string
  /** Id of the node with the station's controller; a loop has one campaign at a time. */
  readonly stationNodeId: number
  readonly stationName: string
  readonly stationPath: string
}
