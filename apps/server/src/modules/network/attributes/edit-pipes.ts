import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import { type getPipes, recordingPipes, type updatePipes } from '@isotherm/contract/endpoints/network/pipes'
import { AppError } from '../../../platform/app-error.ts'
import type { Call } from '../../../platform/http/call.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { NetworkService } from '../answers/service.ts'
import { lockNodes, pickNode } from '../nodes/lock-tree.pg.ts'
import { findNodeId } from '../nodes/named-nodes.pg.ts'
import { toNodeKey } from '../nodes/node-key.ts'
import type { Viewer } from '../nodes/policy.ts'
import { listPipes, type PipeEnds, type PipeRow, readPipes, savePipe } from './pipes.pg.ts'

/** Lists and saves the pipes between nodes. */
export interface PipeEditor {
  list(query: InputOf<typeof getPipes>, call: Call): Promise<OutputOf<typeof getPipes>>
  save(input: InputOf<typeof updatePipes>, call: Call): Promise<OutputOf<typeof updatePipes>>
}

/** Converts a pipe to its answer. The caller's scope covers both ends. */
function toAnswer({ permissions }: Viewer, { from, to, record, version }: PipeRow) {
  const mayRecord = recordingPipes.anyOf.some((permission) => permissions.has(permission))
  return {
    from: toNodeKey(from),
    to: toNodeKey(to),
    fromAddr: from.nestaddr,
    toAddr: to.nestaddr,
    record,
    version,
    abilities: mayRecord ? ['edit' as const, 'remove' as const] : [],
  }
}

const isSamePair = (one: PipeEnds, other: PipeEnds): boolean =>
  Math.min(one.fromId, one.toId) === Math.min(other.fromId, other.toId) &&
  Math.max(one.fromId, one.toId) === Math.max(other.fromId, other.toId)

/** Throws request.malformed for a pipe from a node to itself and for a pipe that occurs twice. */
function checkEnds(ends: readonly PipeEnds[]): void {
  if (ends.some(({ fromId, toId }) => fromId === toId))
    throw new AppError('request.malformed', { detail: 'items: a pipe connects two nodes' })
  if (ends.some((one, index) => ends.slice(index + 1).some((other) => isSamePair(one, other))))
    throw new AppError('request.malformed', { detail: 'items: a pipe occurs twice' })
}

export const createPipeEditor = (
  db: Database,
  network: Pick<NetworkService, 'resolveNodes'>,
): PipeEditor => ({
  async list({ node, limiter }, { caller }) {
    const paths = await network.resolveNodes(caller.scope, [node])
    const { rows, total } = await listPipes(db, caller.scope, paths, { limiter })
    return { datalist: rows.map((row) => toAnswer(caller, row)), total }
  },

  async save({ items }, { caller, operation }) {
    const ends = await Promise.all(
      items.map(async ({ from, to }) => ({
        fromId: await findNodeId(db, from),
        toId: await findNodeId(db, to),
      })),
    )
    checkEnds(ends)
    await operate(db, operation, async (transaction) => {
      const nodes = await lockNodes(transaction, caller.scope, [
        ...new Set(ends.flatMap(({ fromId, toId }) => [fromId, toId])),
      ])
      for (const [index, { record, version }] of items.entries()) {
        const pair = ends[index]
        if (pair) await savePipe(transaction, pickNode(nodes, pair.fromId).companyId, pair, record, version)
      }
    })
    return { datalist: (await readPipes(db, ends)).map((row) => toAnswer(caller, row)) }
  },
})
