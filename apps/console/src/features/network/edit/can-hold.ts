import type { NodeRecord } from '@isotherm/contract/endpoints/network/node-record'
import { treeLevels } from '@isotherm/contract/tree'

type Placed = Pick<NodeRecord, 'nodetype' | 'level'>

/**
 * Whether a node can be the parent of a moved one: it has a higher level (a smaller number), and for a building it is a
 * residential area, because the tree shows buildings only there.
 */
export const canHold = (parent: Placed, { nodetype, level }: Placed): boolean =>
  nodetype === 'user'
    ? parent.nodetype === 'group' && parent.level === treeLevels.residentialArea
    : parent.level < level && (parent.nodetype === 'project' || parent.nodetype === 'group')
